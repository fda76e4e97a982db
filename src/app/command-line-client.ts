/** The client id of the command line, which every Tradewind server knows as a built-in client. */
export const commandLineClientId = 'tradewind-command-line';
