import { describe, expect, test } from '@jest/globals';
import { entriesOf, parsePrototype, type Table } from '../../src/ffi/prototype.ts';
import * as enums from '../../src/nccl/sys/enums.ts';
import { functions, since } from '../../src/nccl/sys/nccl.ts';
import { configSizes, magics, structs } from '../../src/nccl/sys/structs.ts';
import { clumsyHints, complaints, constants, declarations, describeWith, layouts } from './emit.ts';

/** nccl.h takes in CUDA's, which may lie elsewhere. */
const HEADERS = ['cuda_runtime.h', 'nccl.h'];
const { status } = enums;

/** `#if` for what came with a version: `2.28.7` is 22807. */
function from(version: string | number | undefined, code: string): string {
  if (version === undefined) return code;
  const [major = 0, minor = 0, patch = 0] = String(version).split('.').map(Number);
  const number = typeof version === 'number' ? version : major * 10_000 + minor * 100 + patch;
  return `#if NCCL_VERSION_CODE >= ${number}\n${code}\n#endif`;
}

/** A function that a header has turned into a macro. */
function unlessMacro(symbol: string, code: string): string {
  return `#ifndef ${symbol}\n${from(since[symbol], code)}\n#endif`;
}

function ncclComplaints(code: string): string {
  return complaints(HEADERS, code);
}

function uses(table: Table): string {
  return [...entriesOf(table)]
    .map(([, text]) => {
      const { symbol } = parsePrototype(text);
      return unlessMacro(symbol, `static const void *const mentioned_${symbol} = &${symbol};`);
    })
    .join('\n');
}

/** Constants under the names of the header. */
const CONSTANTS: readonly (readonly [
  values: Readonly<Record<string, number>>,
  nameOf: (key: string) => string,
  since?: number,
])[] = [
  [enums.DataType, (key) => `nccl${key.charAt(0)}${key.slice(1).toLowerCase()}`],
  [enums.RedOp, (key) => `nccl${key.charAt(0)}${key.slice(1).toLowerCase()}`],
  [enums.ScalarResidence, (key) => (key === 'DEVICE' ? 'ncclScalarDevice' : 'ncclScalarHostImmediate')],
  [
    { DEFAULT: enums.WindowFlags.DEFAULT, COLL_SYMMETRIC: enums.WindowFlags.COLL_SYMMETRIC },
    (key) => `NCCL_WIN_${key}`,
    22_703,
  ],
  [{ STRICT_ORDERING: enums.WindowFlags.STRICT_ORDERING }, (key) => `NCCL_WIN_${key}`, 22_902],
  [enums.CtaPolicy, (key) => `NCCL_CTA_POLICY_${key}`, 22_803],
  [enums.ShrinkFlags, (key) => `NCCL_SHRINK_${key}`, 22_703],
  [enums.RevokeFlags, (key) => `NCCL_REVOKE_${key}`, 22_807],
  [enums.SuspendFlags, (key) => `NCCL_SUSPEND_${key}`, 22_907],
  [
    {
      SPLIT_NOCOLOR: enums.SPLIT_NOCOLOR,
      CONFIG_UNDEF_INT: enums.CONFIG_UNDEF_INT,
      UNIQUE_ID_BYTES: enums.UNIQUE_ID_BYTES,
    },
    (key) => `NCCL_${key}`,
  ],
];

describe('the NCCL table', () => {
  test('has each symbol once, under its own name', () => {
    const names = [...entriesOf(functions)].map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('has one phrase for every hint', () => {
    expect(clumsyHints(status)).toEqual([]);
  });
});

describeWith(...HEADERS)('nccl.h', () => {
  test('declares every function as the table does', () => {
    const known = Object.fromEntries(
      [...entriesOf(functions)].map(([name, text]) => [name, unlessMacro(name, declarations({ A: { [name]: text } }))]),
    );
    expect(ncclComplaints(Object.values(known).join('\n'))).toBe('');
  });

  test('has every function of its version', () => {
    expect(ncclComplaints(uses(functions))).toBe('');
    expect(ncclComplaints(uses({ A: { ncclNone: 'ncclResult_t ncclNone(void)' } }))).toContain("'ncclNone' undeclared");
  });

  test('has the values of status and of the other constants', () => {
    const { ncclTimeout, ...older } = status;
    expect(ncclComplaints(constants(older, (key) => key))).toBe('');
    expect(
      ncclComplaints(
        from(
          23_003,
          constants({ ncclTimeout }, (key) => key),
        ),
      ),
    ).toBe('');
    for (const [values, nameOf, version] of CONSTANTS) {
      expect(ncclComplaints(from(version, constants(values, nameOf)))).toBe('');
    }
    expect(
      ncclComplaints(
        from(
          23_003,
          constants({ API_MAGIC: magics.ncclConfig_t }, (key) => `NCCL_${key}`),
        ),
      ),
    ).toBe('');
  });

  test('has the layouts of structs, each version as long as the table says', () => {
    const { ncclConfig_t: config, ncclSimInfo_t, ncclWaitSignalDesc_t } = structs;
    expect(ncclComplaints(from('2.22.3', layouts({ ncclSimInfo_t })))).toBe('');
    expect(ncclComplaints(from('2.29.2', layouts({ ncclWaitSignalDesc_t })))).toBe('');
    const fields = Object.entries(config.fields);
    configSizes.forEach(([version, size], i) => {
      const own = Object.fromEntries(fields.filter(([, offset]) => offset < size));
      const code = from(version, layouts({ ncclConfig_t: { size, fields: own } }));
      const newer = configSizes[i - 1]?.[0];
      const isOwn = newer === undefined ? code : `#if NCCL_VERSION_CODE < ${newer}\n${code}\n#endif`;
      // 2.17 to 2.26 filled the end of the struct.
      if (version > 21_700) expect(ncclComplaints(isOwn)).toBe('');
    });
  });

  test('contradicts a wrong parameter type, constant and offset', () => {
    expect(
      ncclComplaints(declarations({ A: { ncclCommFinalize: 'ncclResult_t ncclCommFinalize(int comm)' } })),
    ).toContain("conflicting types for 'ncclCommFinalize'");
    expect(ncclComplaints(constants({ ncclRemoteError: 7 }, (key) => key))).toContain('ncclRemoteError is not 7');
    expect(ncclComplaints(layouts({ ncclSimInfo_t: { size: 24, fields: { magic: 4 } } }))).toContain(
      'ncclSimInfo_t.magic is not 4',
    );
  });
});
