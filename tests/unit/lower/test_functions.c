// SPDX-License-Identifier: Apache-2.0
// C functions mean in a kernel what they mean to the host's compiler: each is
// compiled by both from the same text and compared over a table of arguments.
#include "lowered.h"

// What is compiled twice here is what users may write.
#pragma GCC diagnostic ignored "-Wvla"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wswitch-unreachable"
#endif

enum { N_VALUES = 12, N_PAIRS = N_VALUES * N_VALUES };

static const int values[N_VALUES] = {0, 1,  2,  3,  5,    7,
                                     8, 31, -1, -2, -100, 1000};

typedef int (*Function)(int, int);

// Runs `int name(int a, int b)` of `text` for all pairs, one a thread.
static void compare(const char *name, const char *text, Function native) {
  static int a[N_PAIRS], b[N_PAIRS], out[N_PAIRS];
  for (int i = 0; i < N_PAIRS; i++) {
    a[i] = values[i / N_VALUES];
    b[i] = values[i % N_VALUES];
    out[i] = 0x55;
  }
  Arena *arena = arena_new();
  const char *whole = arena_printf(
      arena,
      "%s\nkernel void k(int n, const int a[n], const int b[n], int out[n])\n"
      "    grid(1) threads(144)\n"
      "{ out[rank()] = %s(a[rank()], b[rank()]); }\n",
      text, name);
  Lowered program = lowered_new(whole, "k");
  Arg args[] = {arg_int(N_PAIRS), ARG_MEMORY(a), ARG_MEMORY(b),
                ARG_MEMORY(out)};
  lowered_run(&program, args);
  for (int i = 0; i < N_PAIRS; i++)
    if (out[i] != native(a[i], b[i]))
      fail_msg("%s(%d, %d) is %d, not %d", name, a[i], b[i], out[i],
               native(a[i], b[i]));
  lowered_free(&program);
  arena_free(arena);
}

// The text is compiled here and there.
#define SAME(name, ...)                                                        \
  __VA_ARGS__                                                                  \
  static void test_##name(void **state) {                                      \
    (void)state;                                                               \
    compare(#name, #__VA_ARGS__, name);                                        \
  }

// ------------------------------------------------------------- arithmetic

SAME(
    integers, static int integers(int a, int b) {
      unsigned u = (unsigned)a, v = (unsigned)b;
      int d = b == 0 ? 7 : a / b, r = b == 0 ? 3 : a % b;
      unsigned w = v == 0 ? 9 : u / v + u % v;
      long wide = (long)a * b;
      return d + r * 3 + (int)(w ^ u << 3 ^ v >> 5) + (int)(wide >> 7) +
             (a & b) - (a | b) + (a ^ ~b) + -a;
    })

SAME(
    narrow, static int narrow(int a, int b) {
      signed char c = (signed char)(a * 5);
      unsigned char d = (unsigned char)(b + 300);
      short s = (short)(a + b * 1000);
      unsigned short t = (unsigned short)(a - b);
      c++;
      d--;
      s = (short)(s + c);
      t = (unsigned short)(t * d);
      _Bool flag = (_Bool)(a & 4);
      return c + d * 3 + s * 5 + t * 7 + flag + (c < d) + (s > t);
    })

SAME(
    shifts, static int shifts(int a, int b) {
      unsigned count = (unsigned)b & 31u;
      unsigned u = (unsigned)a;
      unsigned long l = (unsigned long)u << (count + 3);
      return (int)((u << count) + (unsigned)(a >> count) + (u >> count) +
                   (unsigned)(l >> 9));
    })

SAME(
    comparisons, static int comparisons(int a, int b) {
      unsigned u = (unsigned)a, v = (unsigned)b;
      long x = a, y = b;
      return (a < b) + (a <= b) * 2 + (a > b) * 4 + (a >= b) * 8 +
             (a == b) * 16 + (a != b) * 32 + (u < v) * 64 + (u >= v) * 128 +
             (x < y) * 256 + !a * 512 + (!!b) * 1024;
    })

SAME(
    floats, static int floats(int a, int b) {
      float x = (float)a * 0.5f, y = (float)b;
      double z = x / (y == 0.0f ? 1.0f : y);
      int count = x < y;
      count += (x >= y) * 2;
      return (int)(z * 100.0) + (int)(x - y) + count + (x != y);
    })

SAME(
    wide, static int wide(int a, int b) {
      unsigned long long u = 1;
      for (int i = 0; i < 20; i++)
        u = u * 31 + (unsigned long long)(a - b * i);
      long long s = (long long)u;
      return (int)((unsigned)(s >> 13) ^ (unsigned)(u >> 50) ^
                   (unsigned)(u % 1000003u));
    })

// ----------------------------------------------------------------- control

SAME(
    short_circuit, static int short_circuit(int a, int b) {
      int n = 0;
      if (a > 0 && (n++, b > 0))
        n += 10;
      if (a < 0 || (n += 100, b < 0))
        n += 1000;
      int m = a && b && (n++ & 1);
      int k = a || (b && n++);
      return n * 4 + m * 2 + k;
    })

SAME(
    conditional, static int conditional(int a, int b) {
      int n = 0;
      int x = a > b ? (n++, a) : b > 3 ? n-- : (n += 5);
      long y = a < 0 ? -a : (long)b;
      return x + n * 17 + (int)y + (a ? b ? 1 : 2 : b ? 3 : 4);
    })

SAME(
    loops, static int loops(int a, int b) {
      int n = 0;
      for (int i = 0; i < a; i++) {
        if (i == b)
          continue;
        if (i > 50)
          break;
        n += i;
      }
      for (int i = a; i >= -3; i -= 3)
        n ^= i;
      for (unsigned i = 3; i != 10; i++)
        n += (int)i;
      for (unsigned i = 0; i < 40; i += 7)
        n += (int)i * b;
      for (long i = 5; i <= b; i += 2)
        n -= (int)i;
      int i = 0;
      while (i < b && i < 20) {
        i += 3;
        if (i == 9)
          continue;
        n++;
      }
      do {
        n += 2;
        if (n % 5 == 0)
          break;
      } while (n % 7);
      return n + i;
    })

SAME(
    counters, static int counters(int a, int b) {
      int i, j, n = 0;
      for (i = 0; i < 5; i++)
        for (j = i; j < 5; j++)
          n += i * j + a;
      for (i = 0; i < 9; i++)
        if (i == b)
          break;
      n += i * 100;
      for (int k = 0, m = 1; k < 6; k++, m *= 2)
        n ^= m;
      for (short k = 0; k < 5; k++)
        n += k;
      for (int k = 0; k < 8; k++) {
        n += k;
        k += a & 1;
      }
      int hi = 6;
      for (int k = 0; k < hi; k++)
        hi -= b & 1;
      return n + hi;
    })

SAME(
    bounds, static int bounds(int a, int b) {
      int n = 0;
      unsigned u = (unsigned)b & 15u;
      long l = a & 7;
      unsigned long ul = (unsigned long)l + 2;
      for (int i = 0; (unsigned)i < u; i++)
        n += i;
      for (int i = 0; i < l; i++)
        n += 3 * i;
      for (int i = 1; (unsigned long)i < ul; i++)
        n ^= i << 3;
      for (unsigned i = u; i > 3; i--)
        n += (int)i;
      for (unsigned i = 0; i < ul; i += 3)
        n += 5 * (int)i;
      for (int i = 7; 2 < i; i--)
        n -= i;
      return n;
    })

SAME(
    nested_exits, static int nested_exits(int a, int b) {
      int n = 0;
      for (int i = 0; i < 10; i++) {
        for (int j = 0;; j++) {
          if (j > i)
            break;
          if (j == a)
            n += 1;
          if (n > 60)
            return n + b;
          if (i == b)
            continue;
          n += j;
        }
        if (i == 8 && a < 0)
          return -n;
      }
      return n;
    })

SAME(
    switches, static int switches(int a, int b) {
      int n = 0;
      switch (a) {
      case 0:
      case 1: n = 10; break;
      case 2: n = 20; // falls through
      case 3: n += 3; break;
      case -1: return 77;
      default: n = 5;
      case 7:
        n += 1;
        if (b > 2)
          break;
        n += 100;
      }
      switch (b) {
      case 5: n++; break;
      case 7: n += 2; break;
      default: break;
      }
      switch (a + b) {
        int k;
      case 3:
        k = n;
        n = k * 2;
        break;
      case 4: {
        int m = n + 1;
        n = m;
        break;
      }
      default:
        k = 3;
        n += k;
        break;
      }
      return n;
    })

SAME(
    switch_in_loop, static int switch_in_loop(int a, int b) {
      int n = 0;
      for (int i = 0; i < 12; i++) {
        switch (i & 3) {
        case 0: continue;
        case 1: n += a; break;
        case 2:
          if (i > 8)
            return n;
          n -= b;
        default: n++;
        }
        n *= 3;
      }
      return n;
    })

SAME(
    long_switch, static int long_switch(int a, int b) {
      switch (a & 31) {
      case 0: return 1 + b;
      case 1: b += 2; break;
      case 2: b += 4; break;
      case 3: b += 8; break;
      case 4: b += 16; break;
      case 5: b += 32; break;
      case 6: b += 64; break;
      case 7: b += 128; break;
      case 8: b -= 2; break;
      case 9: b -= 4; break;
      case 10: b -= 8; break;
      case 11: b -= 16; break;
      case 12: b -= 32; break;
      case 13: b -= 64; break;
      case 14: b *= 3; break;
      case 15: b *= 5; break;
      case 16: b ^= 1; break;
      case 17: b ^= 2; break;
      case 31: b ^= 255; break;
      }
      return b;
    })

// --------------------------------------------------------------- aggregates

SAME(
    structs, struct Pair { int x, y; }; struct Deep {
      struct Pair p[3];
      char c;
      long l;
    };
    static struct Pair swap(struct Pair p) {
      struct Pair q = {p.y, p.x};
      q.x += 1;
      return q;
    } static int structs(int a, int b) {
      struct Pair p = {a, b};
      struct Pair q = swap(swap(p));
      struct Deep d = {{{1, 2}, p}, 'c', 9};
      d.p[2] = q;
      d.p[a & 1].y += 5;
      struct Deep e = d;
      e.l = e.p[2].x;
      p = (struct Pair){p.y, p.x};
      struct Pair r = a > b ? p : q;
      return e.p[0].y * 3 + e.p[1].x + (int)e.l + d.p[2].y + e.c + r.x -
             swap(r).y + p.x;
    })

SAME(
    unions,
    union Word {
      unsigned u;
      float f;
      unsigned char b[4];
    };
    struct Tagged {
      int tag;
      union Word w;
    };
    static union Word make(int a) {
      union Word w;
      w.u = (unsigned)a * 2654435761u;
      return w;
    } static int unions(int a, int b) {
      union Word w = make(a), v;
      v = w;
      v.b[b & 3] = 7;
      struct Tagged t = {b, v}, s;
      s = t;
      s.w.b[0] ^= (unsigned char)b;
      union Word one = {0};
      one.f = 1.0f;
      return (int)(w.u ^ v.u) + s.tag + (int)s.w.u + (int)(one.u >> 16);
    })

SAME(
    arrays, static int arrays(int a, int b) {
      int x[8] = {1, 2, 3}, grid[3][4] = {{1, 2}, {3}};
      int fixed[3] = {a, b};
      for (int i = 0; i < 8; i++)
        x[i] += i * a;
      grid[a & 1][b & 3] += 10;
      fixed[2] = fixed[0] - fixed[1];
      int sum = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
          sum = sum * 3 + grid[i][j];
      int big[100] = {5, 6};
      big[(unsigned)b % 100u] += 1;
      return sum + x[b & 7] + fixed[2] * 3 + big[0] + big[1] + big[99] +
             big[(unsigned)b % 100u];
    })

// ------------------------------------------------------------------ pointers

SAME(
    pointers,
    static int total(const int *p, int n) {
      int s = 0;
      const int *end = p + n;
      while (p != end)
        s = s * 3 + *p++;
      return s;
    } static void add(int *p, int n) { *p += n; } static int pointers(int a,
                                                                      int b) {
      int x[6] = {a, b, 3, 4, 5, 6}, y[6] = {6, 5, 4, 3, 2, 1}, z = 4;
      int *p = x;
      p += 2;
      add(p, 10);
      add(&z, a);
      int *q = a > b ? x : y;
      q[1] = 9;
      int *r = &x[5];
      for (int i = 0; i < 3; i++)
        r--;
      return total(x, 6) + total(y, 5) + z + (int)(r - x) + (p > r) + (q == x) +
             (q == y) * 2 + y[1] + (&x[3] - p == 1);
    })

SAME(
    pointers_to_structs,
    struct Node {
      int value;
      struct {
        short a;
        int b[2];
      } in;
    };
    static void bump(struct Node *n, int k) {
      n->value += k;
      n->in.b[k & 1] = n->value;
      n->in.a--;
    } static int pointers_to_structs(int a, int b) {
      struct Node nodes[3] = {{1, {2, {3, 4}}}};
      for (int i = 0; i < 3; i++)
        bump(&nodes[i], a + i);
      bump(nodes + (b & 1), b);
      struct Node copy = nodes[1];
      copy.in.b[b & 1]++;
      int *inside = &nodes[2].in.b[0];
      inside[1] = 8;
      return copy.value + copy.in.b[0] * 3 + copy.in.b[1] * 5 + nodes[0].in.a +
             nodes[2].in.b[1] + nodes[1].value;
    })

SAME(
    matrix_parameter,
    static int at(int n, int m, int x[n][m], int i, int j) {
      return x[i][j];
    } static int row_sum(int m, const int x[m]) {
      int s = 0;
      for (int i = 0; i < m; i++)
        s += x[i] * (i + 1);
      return s;
    } static int matrix_parameter(int a, int b) {
      int x[3][5];
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++)
          x[i][j] = i * a + j * b;
      return at(3, 5, x, 2, 3) + row_sum(5, x[a & 1]) + row_sum(3, x[2] + 1);
    })

// ---------------------------------------------------------------- returns

SAME(
    early_returns,
    static int sign(int a) {
      if (a > 0)
        return 1;
      else if (a < 0)
        return -1;
      return 0;
    } static void clip(int *p) {
      if (*p < 10)
        return;
      for (;;) {
        *p -= 3;
        if (*p < 10)
          return;
      }
    } static int early_returns(int a, int b) {
      int x = a;
      clip(&x);
      while (1) {
        if (b > 4)
          return sign(a) + x;
        b++;
        if (b == 2)
          return b * sign(b);
      }
    })

SAME(
    effects, static int effects(int a, int b) {
      int x[4] = {a, b, a + b, a - b}, i = 0;
      x[i++] += 5;
      x[i] *= i + 1;
      i++;
      int k = (i = 3, x[i]);
      x[1] = k = i += 2;
      int m = i++ + ++k;
      x[2]--;
      --x[3];
      return x[0] + x[1] * 3 + x[2] * 5 + x[3] * 7 + k + m + i;
    })

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_integers),
      cmocka_unit_test(test_narrow),
      cmocka_unit_test(test_shifts),
      cmocka_unit_test(test_comparisons),
      cmocka_unit_test(test_floats),
      cmocka_unit_test(test_wide),
      cmocka_unit_test(test_short_circuit),
      cmocka_unit_test(test_conditional),
      cmocka_unit_test(test_loops),
      cmocka_unit_test(test_counters),
      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_nested_exits),
      cmocka_unit_test(test_switches),
      cmocka_unit_test(test_switch_in_loop),
      cmocka_unit_test(test_long_switch),
      cmocka_unit_test(test_structs),
      cmocka_unit_test(test_unions),
      cmocka_unit_test(test_arrays),
      cmocka_unit_test(test_pointers),
      cmocka_unit_test(test_pointers_to_structs),
      cmocka_unit_test(test_matrix_parameter),
      cmocka_unit_test(test_early_returns),
      cmocka_unit_test(test_effects),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
