import { formKeyField } from '../browsers/form-key.ts';

/**
 * The only script of the pages: it asks the browser's wallet for its address, fetches the message,
 * shows it, has it signed and sends the form. It is plain JavaScript in a text, as it is served.
 */
export const walletScript = `'use strict';
const form = document.querySelector('form[data-form="wallet"]');
const button = document.getElementById('wallet');
const offered = document.getElementById('wallet-offer');
const status = document.getElementById('wallet-status');
const shown = document.getElementById('wallet-message');
let provider = window.ethereum;

function offer() { if (provider) offered.hidden = false; }
// Wallets announce themselves, before or after this script has run (EIP-6963).
window.addEventListener('eip6963:announceProvider', (event) => { provider = provider || event.detail.provider; offer(); });
window.dispatchEvent(new Event('eip6963:requestProvider'));
offer();

async function signIn() {
  const [address] = await provider.request({ method: 'eth_requestAccounts' });
  const chainId = Number(await provider.request({ method: 'eth_chainId' }));
  const body = new URLSearchParams({ ${formKeyField}: form.elements.${formKeyField}.value, address, chain_id: chainId });
  const answer = await fetch(form.action + '/challenge', { method: 'POST', body });
  const challenge = await answer.json();
  if (!answer.ok) throw new Error(challenge.error_description);
  shown.textContent = challenge.message;
  status.textContent = 'Your wallet asks you to sign this message:';
  const bytes = new TextEncoder().encode(challenge.message);
  const hex = '0x' + Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const signature = await provider.request({ method: 'personal_sign', params: [hex, address] });
  form.elements.nonce.value = challenge.nonce;
  form.elements.signature.value = signature;
  form.submit();
}

button.addEventListener('click', () => {
  button.disabled = true;
  status.textContent = 'Waiting for your wallet…';
  signIn().catch((error) => {
    button.disabled = false;
    shown.textContent = '';
    status.textContent = error && error.code === 4001 ? 'You did not sign, so nothing was done.' : 'This did not work: ' + (error && error.message);
  });
});
`;
