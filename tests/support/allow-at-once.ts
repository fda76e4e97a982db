/** A person who allows everything: goes where the authorization server sends the browser. */
export async function allowAtOnce(url: string): Promise<void> {
  const location = await redirectOf(url);
  await fetch(location);
}

/** Where the authorization server sends the browser, without going there. */
export async function redirectOf(url: string): Promise<string> {
  const { headers, status } = await fetch(url, { redirect: 'manual' });
  const location = headers.get('location');
  if (location === null) throw new Error(`the authorization server answered ${status}`);
  return location;
}
