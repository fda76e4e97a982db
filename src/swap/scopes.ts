import type { ScopeDeclaration } from '../kernel/scope-declaration.ts';

export const swapScopes: readonly ScopeDeclaration[] = [
  {
    name: 'swap.read',
    description: 'Ask for swap quotes at a higher rate',
    holders: 'anyone',
    isDefault: true,
  },
];
