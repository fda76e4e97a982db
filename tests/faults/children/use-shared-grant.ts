import { createAuthorizedFetch, openVault } from '../../../src/authorization/client/index.ts';

// Uses a grant that other processes use at the same time. Prints the status of each request, or why it failed.
const [serverUrl = '', directory = '', requests = '1'] = process.argv.slice(2);
const fetchAuthorized = await createAuthorizedFetch({
  serverUrl,
  vault: openVault({ directory, keyring: undefined }),
  isInteractive: false,
});
for (let round = 0; round < Number(requests); round++) {
  const outcome = await fetchAuthorized(serverUrl).then(
    ({ status }) => status,
    (error) => error.code ?? error.message,
  );
  console.log(outcome);
}
