declare const brand: unique symbol;

/**
 * A value that must not be mixed with others of the same base type, such as an address or a client
 * id. A brand is given in one parse function and nowhere else.
 */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };
