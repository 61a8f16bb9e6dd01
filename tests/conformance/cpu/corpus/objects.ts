import { struct } from '../../../../src/core/struct.ts';
import { at, kernelCase, range, sum, type Case } from '../case.ts';

/** Classes, unions, bit fields, pointers in structs, objects on the device's heap. */
export const objectCases: readonly Case[] = [
  kernelCase({
    name: 'classes-and-operators',
    source: `
      class Complex {
        float re, im;
      public:
        __device__ Complex(float re = 0, float im = 0) : re(re), im(im) {}
        __device__ Complex operator+(const Complex &b) const { return Complex(re + b.re, im + b.im); }
        __device__ Complex operator*(const Complex &b) const { return Complex(re * b.re - im * b.im, re * b.im + im * b.re); }
        __device__ Complex &operator*=(const Complex &b) { return *this = *this * b; }
        __device__ float norm() const { return re * re + im * im; }
      };
      __global__ void fifth_powers(const float *re, const float *im, float *norms)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        Complex z(re[i], im[i]), power = z;
        for (int k = 1; k < 5; k++) power *= z;
        norms[i] = (power + Complex()).norm();
      }`,
    buffers: (random) => ({ re: random.floats(128), im: random.floats(128), norms: new Float32Array(128) }),
    launches: ({ re, im, norms }) => [{ kernel: 'fifth_powers', args: [re, im, norms], block: 64, grid: 2 }],
    expected: ({ re, im }) => ({ norms: range(128, (i) => (at(re, i) ** 2 + at(im, i) ** 2) ** 5) }),
    tolerance: { relative: 1e-5 },
  }),

  kernelCase({
    name: 'virtual-functions',
    source: `
      struct Shape {
        __device__ virtual float area() const = 0;
        __device__ virtual int corners() const { return 0; }
      };
      struct Circle : Shape {
        float radius;
        __device__ Circle(float radius) : radius(radius) {}
        __device__ float area() const override { return 3.14159265f * radius * radius; }
      };
      struct Rectangle : Shape {
        float width, height;
        __device__ Rectangle(float width, float height) : width(width), height(height) {}
        __device__ float area() const override { return width * height; }
        __device__ int corners() const override { return 4; }
      };
      struct Square final : Rectangle {
        __device__ Square(float side) : Rectangle(side, side) {}
      };
      __device__ float measure(const Shape &shape) { return shape.area() + 1000 * shape.corners(); }
      __global__ void measure_all(const int *kinds, const float *sizes, float *out)
      {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        float size = sizes[i];
        Circle circle(size);
        Rectangle rectangle(size, 2 * size);
        Square square(size);
        const Shape *shapes[] = { &circle, &rectangle, &square };
        out[i] = measure(*shapes[kinds[i]]);
      }`,
    buffers: (random) => ({
      kinds: random.ints(128, 0, 3),
      sizes: random.floats(128, 1, 2),
      out: new Float32Array(128),
    }),
    launches: ({ kinds, sizes, out }) => [{ kernel: 'measure_all', args: [kinds, sizes, out], block: 32, grid: 4 }],
    expected: ({ kinds, sizes }) => ({
      out: Array.from(kinds, (kind, i) => {
        const size = at(sizes, i);
        return kind === 0 ? Math.PI * size ** 2 : 4000 + (kind === 1 ? 2 : 1) * size ** 2;
      }),
    }),
    tolerance: { relative: 1e-6 },
  }),

  kernelCase({
    name: 'static-polymorphism',
    source: `
      template <typename Derived> struct Rule {
        static constexpr int VERSION = 7;
        __device__ int apply(int x) const { return static_cast<const Derived *>(this)->value(x) + VERSION; }
      };
      struct Doubling : Rule<Doubling> { __device__ int value(int x) const { return 2 * x; } };
      struct Offset : Rule<Offset> {
        static const int BY = 100;
        __device__ int value(int x) const { return x + BY; }
      };
      enum class Kind : unsigned char { doubling, offset };
      __device__ int apply(Kind kind, int x)
      {
        switch (kind) {
        case Kind::doubling: return Doubling().apply(x);
        case Kind::offset: return Offset{}.apply(x);
        }
        return -1;
      }
      __global__ void apply_all(const unsigned char *kinds, int *x) { int i = threadIdx.x; x[i] = apply((Kind)kinds[i], x[i]); }`,
    buffers: (random) => ({ kinds: random.bytes(77, 0, 3), x: random.ints(77, -1000, 1000) }),
    launches: ({ kinds, x }) => [{ kernel: 'apply_all', args: [kinds, x], block: 77 }],
    expected: ({ kinds, x }) => ({ x: Array.from(x, (v, i) => [2 * v + 7, v + 107, -1][at(kinds, i)] ?? NaN) }),
  }),

  kernelCase({
    name: 'unions',
    source: `
      union Word {
        float real;
        unsigned bits;
        unsigned char bytes[4];
        struct { unsigned short low, high; } half;
      };
      __global__ void pick(const float *x, unsigned *out)
      {
        int i = threadIdx.x;
        Word word;
        word.real = x[i];
        unsigned exponent = (word.bits >> 23) & 0xff, sum = 0;
        for (unsigned char byte : word.bytes) sum += byte;
        word.half.low ^= word.half.high;
        out[3 * i] = exponent;
        out[3 * i + 1] = sum;
        out[3 * i + 2] = word.bits;
      }`,
    buffers: (random) => ({ x: random.floats(60, -1e6, 1e6), out: new Uint32Array(180) }),
    launches: ({ x, out }) => [{ kernel: 'pick', args: [x, out], block: 60 }],
    expected: ({ x }) => {
      const view = new DataView(x.buffer);
      return {
        out: range(60, (i) => {
          const high = view.getUint16(4 * i + 2, true);
          const low = view.getUint16(4 * i, true) ^ high;
          const exponent = 127 + Math.floor(Math.log2(Math.abs(at(x, i))));
          return [exponent, sum(4, (k) => view.getUint8(4 * i + k)), high * 65536 + low];
        }).flat(),
      };
    },
  }),

  kernelCase({
    name: 'bit-fields',
    source: `
      struct Pixel { unsigned blue : 5, green : 6, red : 5; };
      struct Mixed { int a : 3; unsigned b : 7; long long c : 40; };
      __global__ void pack(const uchar4 *rgba, unsigned short *out, long long *mixed)
      {
        int i = threadIdx.x;
        uchar4 c = rgba[i];
        Pixel p;
        p.red = c.x >> 3;
        p.green = c.y >> 2;
        p.blue = c.z >> 3;
        out[i] = p.red << 11 | p.green << 5 | p.blue;
        Mixed m;
        m.a = c.x;
        m.b = c.y;
        m.c = -(long long)c.z * c.w * 1000003;
        m.b += 100;
        mixed[i] = m.a + m.b + m.c;
      }`,
    buffers: (random) => ({
      rgba: random.bytes(4 * 90),
      out: new Uint16Array(90),
      mixed: new BigInt64Array(90),
    }),
    launches: ({ rgba, out, mixed }) => [{ kernel: 'pack', args: [rgba, out, mixed], block: 90 }],
    expected: ({ rgba }) => {
      const rows = range(90, (i) => [...rgba.subarray(4 * i, 4 * i + 4)] as [number, number, number, number]);
      return {
        out: rows.map(([r, g, b]) => Math.floor(r / 8) * 2048 + Math.floor(g / 4) * 32 + Math.floor(b / 8)),
        mixed: rows.map(([r, g, b, a]) => BigInt(((r << 29) >> 29) + ((g + 100) % 128)) - BigInt(b * a * 1000003)),
      };
    },
  }),

  kernelCase({
    name: 'linked-list',
    source: `
      struct Node { int value; Node *next; };
      // Thread by thread, the nodes of a bucket are put at the front of its list.
      __global__ void build(Node *nodes, Node **heads, const int *values, int n, int buckets)
      {
        int b = threadIdx.x;
        heads[b] = nullptr;
        for (int i = b; i < n; i += buckets) {
          nodes[i].value = values[i];
          nodes[i].next = heads[b];
          heads[b] = &nodes[i];
        }
      }
      __global__ void reverse(Node **heads)
      {
        Node *reversed = nullptr;
        for (Node *p = heads[threadIdx.x]; p;) {
          Node *next = p->next;
          p->next = reversed;
          reversed = p;
          p = next;
        }
        heads[threadIdx.x] = reversed;
      }
      __global__ void checksum(Node *const *heads, int *sums)
      {
        int sum = 0, position = 1;
        for (const Node *p = heads[threadIdx.x]; p; p = p->next) sum += position++ * p->value;
        sums[threadIdx.x] = sum;
      }`,
    buffers: (random) => ({
      values: random.ints(200, -99, 99),
      nodes: new Uint8Array(200 * 16),
      heads: new BigUint64Array(12),
      sums: new Int32Array(12),
    }),
    launches: ({ values, nodes, heads, sums }) => [
      { kernel: 'build', args: [nodes, heads, values, 200, 12], block: 12 },
      { kernel: 'reverse', args: [heads], block: 12 },
      { kernel: 'checksum', args: [heads, sums], block: 12 },
    ],
    expected: ({ values }) => ({
      sums: range(12, (b) =>
        [...values].filter((_, i) => i % 12 === b).reduce((total, value, k) => total + (k + 1) * value, 0),
      ),
    }),
  }),

  kernelCase({
    name: 'struct-with-pointers',
    source: `
      struct Matrix { int rows, columns; const float *data; };
      struct Job { Matrix matrix; float *out; bool add; };
      __global__ void row_sums(Job job)
      {
        int row = blockIdx.x * blockDim.x + threadIdx.x;
        if (row >= job.matrix.rows) return;
        float sum = 0;
        for (int c = 0; c < job.matrix.columns; c++) sum += job.matrix.data[row * job.matrix.columns + c];
        job.out[row] = job.add ? job.out[row] + sum : sum;
      }`,
    buffers: (random) => ({ data: random.floats(45 * 17), out: new Float32Array(45) }),
    launches: ({ data, out }) => {
      const Matrix = struct({ rows: 'i32', columns: 'i32', data: 'ptr' });
      const Job = struct({ matrix: Matrix, out: 'ptr', add: 'bool' });
      const matrix = { rows: 45, columns: 17, data };
      return [false, true].map((add) => ({
        kernel: 'row_sums',
        args: [Job({ matrix, out, add })],
        block: 32,
        grid: 2,
      }));
    },
    expected: ({ data }) => ({ out: range(45, (row) => 2 * sum(17, (c) => at(data, row * 17 + c))) }),
    tolerance: { absolute: 1e-5 },
  }),

  kernelCase({
    name: 'device-heap',
    source: `
      struct Tree {
        int key;
        Tree *left = nullptr, *right = nullptr;
        __device__ Tree(int key) : key(key) {}
        __device__ void insert(int other)
        {
          Tree *&child = other < key ? left : right;
          if (child) child->insert(other);
          else child = new Tree(other);
        }
        __device__ int walk(int *out, int count) const
        {
          if (left) count = left->walk(out, count);
          out[count++] = key;
          return right ? right->walk(out, count) : count;
        }
        __device__ ~Tree() { delete left; delete right; }
      };
      __global__ void tree_sort(const int *x, int *y, int width)
      {
        const int *row = x + threadIdx.x * width;
        int *copy = (int *)malloc(width * sizeof(int));
        memcpy(copy, row, width * sizeof(int));
        Tree *tree = new Tree(copy[0]);
        for (int i = 1; i < width; i++) tree->insert(copy[i]);
        tree->walk(y + threadIdx.x * width, 0);
        delete tree;
        free(copy);
      }`,
    buffers: (random) => ({ x: random.ints(33 * 20), y: new Int32Array(33 * 20) }),
    launches: ({ x, y }) => [{ kernel: 'tree_sort', args: [x, y, 20], block: 33 }],
    expected: ({ x }) => ({ y: range(33, (row) => [...x.slice(row * 20, row * 20 + 20).sort()]).flat() }),
  }),

  kernelCase({
    name: 'structs-by-value',
    source: `
      struct Body { float3 position; float mass; double history[9]; char tag; };
      __device__ Body moved(Body body, float3 by)
      {
        body.position.x += by.x;
        body.position.y += by.y;
        body.position.z += by.z;
        for (int i = 8; i > 0; i--) body.history[i] = body.history[i - 1];
        body.history[0] = body.position.x;
        body.tag++;
        return body;
      }
      __global__ void move(Body *bodies, float *seen, int steps)
      {
        int i = threadIdx.x;
        Body body = bodies[i];
        for (int s = 0; s < steps; s++) body = moved(body, make_float3(1, i, -1));
        bodies[i] = body;
        seen[i] = body.position.y + (float)body.history[steps - 1] + body.tag;
      }`,
    buffers: () => ({ bodies: new Uint8Array(40 * 96), seen: new Float32Array(40) }),
    launches: ({ bodies, seen }) => [{ kernel: 'move', args: [bodies, seen, 6], block: 40 }],
    expected: () => ({ seen: range(40, (i) => 6 * i + 1 + 6) }),
  }),

  kernelCase({
    name: 'functors-without-members',
    source: `
      struct Twice { __device__ int operator()(int x) const { return 2 * x; } };
      struct Less { __device__ bool operator()(int a, int b) const { return a < b; } };
      struct Tag {};
      template <typename F, typename Order> __global__ void pick(F f, char shift, Order before, Tag, const int *x, int *y, Tag, int n)
      {
        int i = threadIdx.x;
        if (i < n) y[i] = before(f(x[i]), 10) ? f(x[i]) + shift : -1;
      }`,
    nameExpressions: ['pick<Twice, Less>'],
    buffers: (random) => ({ x: random.ints(50, -20, 20), y: new Int32Array(60) }),
    launches: ({ x, y }) => {
      // Nothing to pass is a byte.
      const nothing = struct({ nothing: 'u8' })({ nothing: 0 });
      const args = [nothing, 3, nothing, nothing, x, y, nothing, 50];
      return [{ kernel: 'pick<Twice, Less>', args, block: 60 }];
    },
    expected: ({ x }) => ({ y: [...Array.from(x, (v) => (2 * v < 10 ? 2 * v + 3 : -1)), ...range(10, () => 0)] }),
  }),
];
