/** The id of the command line as a client of servers that it comes with. */
export const commandLineClientId = 'tradewind-command-line';
