/**
 * The request as the client meant it. Google's Python client sends a GET whose address would have more than 2048
 * characters as a POST with the query in its body, and says so in `X-HTTP-Method-Override` (E7.18). Every other
 * request is returned unchanged.
 */
export async function undoOverride(request: Request): Promise<Request> {
  const meant = request.headers.get('x-http-method-override')?.toUpperCase();
  if (request.method !== 'POST' || meant !== 'GET') return request;
  const url = new URL(request.url);
  for (const [name, value] of new URLSearchParams(await request.text())) {
    url.searchParams.append(name, value);
  }
  return new Request(url, { headers: request.headers, signal: request.signal });
}
