import type { Hex } from 'viem';
import { encodeAbiParameters, keccak256, stringToHex } from 'viem/utils';
import { domainFields, type PermitDomain } from './permit.ts';

/** The domain separator of EIP-712: what a contract says under `DOMAIN_SEPARATOR()`. */
export function hashDomain(domain: PermitDomain): Hex {
  const fields = domainFields.filter(({ name }) => domain[name] !== undefined);
  const type = `EIP712Domain(${fields.map(({ name, type }) => `${type} ${name}`).join(',')})`;
  const values = fields.map(({ name, type }) => {
    const value = domain[name];
    return type === 'string'
      ? { type: 'bytes32', value: keccak256(stringToHex(String(value))) }
      : { type, value };
  });
  return keccak256(
    encodeAbiParameters(
      [{ type: 'bytes32' }, ...values.map(({ type }) => ({ type }))],
      [keccak256(stringToHex(type)), ...values.map(({ value }) => value)],
    ),
  );
}
