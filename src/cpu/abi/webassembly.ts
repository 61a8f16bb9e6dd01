/** The part of the WebAssembly API that is used here: neither TypeScript's ES libraries nor Node's types have it. */
export interface WasmMemory {
  /** Of a shared memory; a new object after the memory has grown. */
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

export interface WasmGlobal {
  value: bigint | number;
}

/** Opaque compiled code; it can be sent to other threads. */
export type WasmModule = object;

export interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}

interface Api {
  readonly Memory: new (options: { initial: number; maximum: number; shared: true }) => WasmMemory;
  readonly Global: new (type: { value: 'i32' | 'i64'; mutable?: boolean }, value: bigint | number) => WasmGlobal;
  readonly Table: new (type: { element: 'anyfunc'; initial: number }) => object;
  readonly Module: {
    new (bytes: Uint8Array): WasmModule;
    customSections(module: WasmModule, name: string): ArrayBuffer[];
    exports(module: WasmModule): { readonly name: string; readonly kind: string }[];
    imports(module: WasmModule): { readonly module: string; readonly name: string; readonly kind: string }[];
  };
  readonly Instance: new (
    module: WasmModule,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => WasmInstance;
  readonly RuntimeError: new (message?: string) => Error;
}

/** The engine's WebAssembly. */
export const wasm: Api = (globalThis as unknown as { readonly WebAssembly: Api }).WebAssembly;
