/** Whether `Accept-Encoding` names gzip with a weight above 0 (RFC 9110, section 12.5.3). */
export function takesGzip({ headers }: { readonly headers: Pick<Headers, 'get'> }): boolean {
  const codings = (headers.get('accept-encoding') ?? '').split(',');
  return codings.some((part) => {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return coding === 'gzip' && !isRefused;
  });
}
