__heddle_comment(requires n <= len(x)) __global__ void k(float *x, int n) {
  if (int i = 3; i < n) ; else if constexpr (sizeof(float) > 2) { } else goto end;
  do { n--; } while (n > 0);
  __heddle_unroll(4 * 2) for (;;) break;
#pragma unroll
  while (float *p = x) continue;
  switch (auto c = 'a'; c) { case L'\x41': case 3 ... 5: { } default:; }
end:
  for (const auto &[a, b] : m) { try { throw 1; } catch (int) { } }
  for (int q[] = {1, 2}; int e : q) e++;
  auto l = [&, n, this, r = n * 2](auto v) mutable noexcept -> int { return v ? n : r, 3; };
  asm("mov.u32 %0, %1;" : "=r"(n), [y] "+f"(x[0]) : "r"(3), "n"(4) : "memory", "cc"); asm volatile("" ::: "memory");
  unsigned long long int u = 0x1'0ULL + 0b11 + 017 + 1e3f + .5 + 0x1p3 + 'x' + u8"s"[0] + R"d(")d"[1];
  T<3>(x) (y); T * z; unknown * w = 0; unknown<int, float>::type zz; a < b > (c); a.b<3>(c); a.template b<3>(c);
  x = (float)n + (unknown)n + (int *)x + (T){1} + int(3) + float{2.f} + static_cast<const int &>(n) + *reinterpret_cast<int (*)[4]>(x);
  x[n >>= 1, n >> 2] = new int[3] + sizeof n + alignof(float) + __builtin_offsetof(S, a.b[3].c) + (delete x, 0) + noexcept(x) + typeid(x).y;
  k<<<dim3(1), 32, 0, s>>>(x, n); static __shared__ alignas(16) float s[3][4]; extern __shared__ char t[]; int m(3), o{4}, (*fp)(int) = &f, &rr = n;
  p->*q; p.*q; (... + args); ({ int z = 3; z; }); { int unclosed = (3 ; } x[ = 4; ) }
}
void host() { const int threads = 32 * 8; dim3 g(1 << 3, 2), b{threads, 2}; for (int i = 0; i < 3; i++) { ns::k<float, (3 > 2), A<B<int>>><<<g, i ? b : dim3(3), threads * sizeof(int)>>>(1); } if (x) k<<<1, 2>>>(); "unterminated
