/** NVRTC's options in clang's terms. */
export interface TranslatedOptions {
  /** `c++17` */
  readonly standard: string;
  /** `sm_90`, `compute_80` */
  readonly arch: string;
  readonly flags: readonly string[];
  /** Messages for unknown options. */
  readonly errors: readonly string[];
  /** Headers that are included before the source. */
  readonly preIncludes: readonly string[];
  readonly fastMath: boolean;
  /** Functions without an execution space are for the device. */
  readonly defaultDevice: boolean;
  /** Functions and variables may be left open for a linker. */
  readonly relocatable: boolean;
}

/** Options that have no effect on a CPU, or name a default. */
const IGNORED = new RegExp(
  `^(?:${[
    '-{1,2}(?:maxrregcount|gpu-code|code|Xptxas|ptxas-options|threads?|minimal|jump-table-density)(?:=.*)?',
    '-{1,2}(?:device-debug|G|generate-line-info|lineinfo|device-w|dw|extensible-whole-program|ewp)(?:=.*)?',
    '-{1,2}(?:ftz|prec-sqrt|prec-div|extra-device-vectorization|dopt|Ofast-compile|time|split-compile|modify-stack-limit)(?:=.*)?',
    '-{1,2}(?:expt-relaxed-constexpr|expt-extended-lambda|extended-lambda)',
    '-{1,2}(?:builtin-move-forward|builtin-initializer-list|brief-diagnostics|diag-[a-z]+|device-int128)(?:=.*)?',
    '-{1,2}(?:display-error-number|no-display-error-number|err-no|source-in-ptx|no-source-include|restrict|dlto|lto|cudart)(?:=.*)?',
    '-{1,2}(?:pch|create-pch|use-pch|pch-dir|pch-verbose|pch-messages|instantiate-templates-in-pch|fdevice-time-trace)(?:=.*)?',
    '-(?:O[0-3]|g|no-cache)',
    '-W(?:no-)?(?:deprecated-gpu-targets|reorder|default-stream-launch)',
  ].join('|')})$`,
);
/** Those of them whose value may be the next argument. */
const TAKES_VALUE = /^-{1,2}(?:maxrregcount|gpu-code|code|Xptxas|ptxas-options)$/;
const RELOCATABLE = /^-{1,2}(?:(?:relocatable-device-code|rdc)(?:=(?:true|false))?|device-c|dc)$/;
/** The device's architecture for PTX. */
const ARCH = 'compute_90';

/** Translate options in NVRTC's style. */
export function translateOptions(options: readonly string[]): TranslatedOptions {
  const flags: string[] = [];
  const errors: string[] = [];
  const preIncludes: string[] = [];
  let standard = 'c++17';
  let arch = ARCH;
  let fastMath = false;
  let defaultDevice = false;
  let relocatable = false;
  for (let i = 0; i < options.length; i++) {
    const option = options[i] ?? '';
    const value = (names: string): string | undefined => {
      const joined = new RegExp(`^(?:${names})=(.*)$`).exec(option)?.[1];
      return joined ?? (new RegExp(`^(?:${names})$`).test(option) ? options[++i] : undefined);
    };
    const define = /^-D(.+)$/.exec(option)?.[1] ?? value('-D|--define-macro');
    const undefine = define === undefined ? (/^-U(.+)$/.exec(option)?.[1] ?? value('-U|--undefine-macro')) : undefined;
    const std = value('-std|--std');
    const header = value('-include|--pre-include');
    const target = value('-{1,2}(?:gpu-architecture|arch)');
    if (define !== undefined) flags.push(`-D${define}`);
    else if (undefine !== undefined) flags.push(`-U${undefine}`);
    else if (std !== undefined) standard = std;
    else if (header !== undefined) preIncludes.push(header);
    else if (target !== undefined) arch = target;
    else if (/^-{1,2}use_fast_math(?:=true)?$/.test(option)) fastMath = true;
    else if (/^-{1,2}(?:default-device|device-as-default-execution-space)$/.test(option)) defaultDevice = true;
    else if (RELOCATABLE.test(option)) relocatable = !option.endsWith('=false');
    else if (/^-{1,2}fmad(?:=.*)?$/.test(option)) continue;
    else if (/^-(?:w|-disable-warnings)$/.test(option)) flags.push('-w');
    else if (/^-{1,2}(?:Werror)(?:=.*)?$/.test(option)) flags.push('-Werror');
    else if (IGNORED.test(option)) i += TAKES_VALUE.test(option) ? 1 : 0;
    else errors.push(`error: unrecognized option ${option} found`);
  }
  if (!/^c\+\+(?:03|11|14|17|20|23)$/.test(standard)) errors.push(`error: unknown language dialect ${standard}`);
  if (!/^(?:sm|compute)_\d+[af]?$/.test(arch)) {
    errors.push('error: invalid value for --gpu-architecture (-arch)');
  }
  return { standard, arch, flags, errors, preIncludes, fastMath, defaultDevice, relocatable };
}
