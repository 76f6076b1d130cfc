// SPDX-License-Identifier: Apache-2.0
// Mathematical functions.

// --- mathematics ---
float __fdividef(float a, float b) __heddle("fast_divf(a, b)");
float fdividef(float a, float b) __heddle("a / b");
double fdivide(double a, double b) __heddle("a / b");
float __expf(float x) __heddle("fast_expf(x)");
float __exp10f(float x) __heddle("fast_exp2f(x * 3.3219280948873626f)");
float __logf(float x) __heddle("fast_logf(x)");
float __log2f(float x) __heddle("fast_log2f(x)");
float __log10f(float x) __heddle("fast_log2f(x) * 0.30102999566398120f");
float __sinf(float x) __heddle("fast_sinf(x)");
float __cosf(float x) __heddle("fast_cosf(x)");
float __tanf(float x) __heddle("fast_divf(fast_sinf(x), fast_cosf(x))");
float __tanhf(float x) __heddle("fast_tanhf(x)");
float __powf(float x, float y) __heddle("fast_powf(x, y)");
__device__ void __sincosf(float x, float *s, float *c) { *s = __sinf(x); *c = __cosf(x); }
float sinf(float x) __heddle();
float sin(float x) __heddle("sinf(x)");
double sin(double x) __heddle();
template <class T> double sin(T x) __heddle("sin((double)x)");
float cosf(float x) __heddle();
float cos(float x) __heddle("cosf(x)");
double cos(double x) __heddle();
template <class T> double cos(T x) __heddle("cos((double)x)");
float tanf(float x) __heddle();
float tan(float x) __heddle("tanf(x)");
double tan(double x) __heddle();
template <class T> double tan(T x) __heddle("tan((double)x)");
float asinf(float x) __heddle();
float asin(float x) __heddle("asinf(x)");
double asin(double x) __heddle();
template <class T> double asin(T x) __heddle("asin((double)x)");
float acosf(float x) __heddle();
float acos(float x) __heddle("acosf(x)");
double acos(double x) __heddle();
template <class T> double acos(T x) __heddle("acos((double)x)");
float atanf(float x) __heddle();
float atan(float x) __heddle("atanf(x)");
double atan(double x) __heddle();
template <class T> double atan(T x) __heddle("atan((double)x)");
float sinhf(float x) __heddle();
float sinh(float x) __heddle("sinhf(x)");
double sinh(double x) __heddle();
template <class T> double sinh(T x) __heddle("sinh((double)x)");
float coshf(float x) __heddle();
float cosh(float x) __heddle("coshf(x)");
double cosh(double x) __heddle();
template <class T> double cosh(T x) __heddle("cosh((double)x)");
float tanhf(float x) __heddle();
float tanh(float x) __heddle("tanhf(x)");
double tanh(double x) __heddle();
template <class T> double tanh(T x) __heddle("tanh((double)x)");
float asinhf(float x) __heddle();
float asinh(float x) __heddle("asinhf(x)");
double asinh(double x) __heddle();
template <class T> double asinh(T x) __heddle("asinh((double)x)");
float acoshf(float x) __heddle();
float acosh(float x) __heddle("acoshf(x)");
double acosh(double x) __heddle();
template <class T> double acosh(T x) __heddle("acosh((double)x)");
float atanhf(float x) __heddle();
float atanh(float x) __heddle("atanhf(x)");
double atanh(double x) __heddle();
template <class T> double atanh(T x) __heddle("atanh((double)x)");
float expf(float x) __heddle();
float exp(float x) __heddle("expf(x)");
double exp(double x) __heddle();
template <class T> double exp(T x) __heddle("exp((double)x)");
float exp2f(float x) __heddle();
float exp2(float x) __heddle("exp2f(x)");
double exp2(double x) __heddle();
template <class T> double exp2(T x) __heddle("exp2((double)x)");
float exp10f(float x) __heddle();
float exp10(float x) __heddle("exp10f(x)");
double exp10(double x) __heddle();
template <class T> double exp10(T x) __heddle("exp10((double)x)");
float expm1f(float x) __heddle();
float expm1(float x) __heddle("expm1f(x)");
double expm1(double x) __heddle();
template <class T> double expm1(T x) __heddle("expm1((double)x)");
float sinpif(float x) __heddle();
float sinpi(float x) __heddle("sinpif(x)");
double sinpi(double x) __heddle();
template <class T> double sinpi(T x) __heddle("sinpi((double)x)");
float cospif(float x) __heddle();
float cospi(float x) __heddle("cospif(x)");
double cospi(double x) __heddle();
template <class T> double cospi(T x) __heddle("cospi((double)x)");
float logf(float x) __heddle();
float log(float x) __heddle("logf(x)");
double log(double x) __heddle();
template <class T> double log(T x) __heddle("log((double)x)");
float log2f(float x) __heddle();
float log2(float x) __heddle("log2f(x)");
double log2(double x) __heddle();
template <class T> double log2(T x) __heddle("log2((double)x)");
float log10f(float x) __heddle();
float log10(float x) __heddle("log10f(x)");
double log10(double x) __heddle();
template <class T> double log10(T x) __heddle("log10((double)x)");
float log1pf(float x) __heddle();
float log1p(float x) __heddle("log1pf(x)");
double log1p(double x) __heddle();
template <class T> double log1p(T x) __heddle("log1p((double)x)");
float logbf(float x) __heddle();
float logb(float x) __heddle("logbf(x)");
double logb(double x) __heddle();
template <class T> double logb(T x) __heddle("logb((double)x)");
float sqrtf(float x) __heddle();
float sqrt(float x) __heddle("sqrtf(x)");
double sqrt(double x) __heddle();
template <class T> double sqrt(T x) __heddle("sqrt((double)x)");
float cbrtf(float x) __heddle();
float cbrt(float x) __heddle("cbrtf(x)");
double cbrt(double x) __heddle();
template <class T> double cbrt(T x) __heddle("cbrt((double)x)");
float rsqrtf(float x) __heddle();
float rsqrt(float x) __heddle("rsqrtf(x)");
double rsqrt(double x) __heddle();
template <class T> double rsqrt(T x) __heddle("rsqrt((double)x)");
float erff(float x) __heddle();
float erf(float x) __heddle("erff(x)");
double erf(double x) __heddle();
template <class T> double erf(T x) __heddle("erf((double)x)");
float erfcf(float x) __heddle();
float erfc(float x) __heddle("erfcf(x)");
double erfc(double x) __heddle();
template <class T> double erfc(T x) __heddle("erfc((double)x)");
float tgammaf(float x) __heddle();
float tgamma(float x) __heddle("tgammaf(x)");
double tgamma(double x) __heddle();
template <class T> double tgamma(T x) __heddle("tgamma((double)x)");
float lgammaf(float x) __heddle();
float lgamma(float x) __heddle("lgammaf(x)");
double lgamma(double x) __heddle();
template <class T> double lgamma(T x) __heddle("lgamma((double)x)");
float fabsf(float x) __heddle();
float fabs(float x) __heddle("fabsf(x)");
double fabs(double x) __heddle();
template <class T> double fabs(T x) __heddle("fabs((double)x)");
float floorf(float x) __heddle();
float floor(float x) __heddle("floorf(x)");
double floor(double x) __heddle();
template <class T> double floor(T x) __heddle("floor((double)x)");
float ceilf(float x) __heddle();
float ceil(float x) __heddle("ceilf(x)");
double ceil(double x) __heddle();
template <class T> double ceil(T x) __heddle("ceil((double)x)");
float truncf(float x) __heddle();
float trunc(float x) __heddle("truncf(x)");
double trunc(double x) __heddle();
template <class T> double trunc(T x) __heddle("trunc((double)x)");
float roundf(float x) __heddle();
float round(float x) __heddle("roundf(x)");
double round(double x) __heddle();
template <class T> double round(T x) __heddle("round((double)x)");
float rintf(float x) __heddle();
float rint(float x) __heddle("rintf(x)");
double rint(double x) __heddle();
template <class T> double rint(T x) __heddle("rint((double)x)");
float nearbyintf(float x) __heddle();
float nearbyint(float x) __heddle("nearbyintf(x)");
double nearbyint(double x) __heddle();
template <class T> double nearbyint(T x) __heddle("nearbyint((double)x)");
float atan2f(float x, float y) __heddle();
float atan2(float x, float y) __heddle("atan2f(x, y)");
double atan2(double x, double y) __heddle();
template <class T, class U> double atan2(T x, U y) __heddle("atan2((double)x, (double)y)");
float powf(float x, float y) __heddle();
float pow(float x, float y) __heddle("powf(x, y)");
double pow(double x, double y) __heddle();
template <class T, class U> double pow(T x, U y) __heddle("pow((double)x, (double)y)");
float hypotf(float x, float y) __heddle();
float hypot(float x, float y) __heddle("hypotf(x, y)");
double hypot(double x, double y) __heddle();
template <class T, class U> double hypot(T x, U y) __heddle("hypot((double)x, (double)y)");
float fmodf(float x, float y) __heddle();
float fmod(float x, float y) __heddle("fmodf(x, y)");
double fmod(double x, double y) __heddle();
template <class T, class U> double fmod(T x, U y) __heddle("fmod((double)x, (double)y)");
float remainderf(float x, float y) __heddle();
float remainder(float x, float y) __heddle("remainderf(x, y)");
double remainder(double x, double y) __heddle();
template <class T, class U> double remainder(T x, U y) __heddle("remainder((double)x, (double)y)");
float copysignf(float x, float y) __heddle();
float copysign(float x, float y) __heddle("copysignf(x, y)");
double copysign(double x, double y) __heddle();
template <class T, class U> double copysign(T x, U y) __heddle("copysign((double)x, (double)y)");
float fdimf(float x, float y) __heddle();
float fdim(float x, float y) __heddle("fdimf(x, y)");
double fdim(double x, double y) __heddle();
template <class T, class U> double fdim(T x, U y) __heddle("fdim((double)x, (double)y)");
float nextafterf(float x, float y) __heddle();
float nextafter(float x, float y) __heddle("nextafterf(x, y)");
double nextafter(double x, double y) __heddle();
template <class T, class U> double nextafter(T x, U y) __heddle("nextafter((double)x, (double)y)");
float fminf(float x, float y) __heddle();
float fmin(float x, float y) __heddle("fminf(x, y)");
double fmin(double x, double y) __heddle();
template <class T, class U> double fmin(T x, U y) __heddle("fmin((double)x, (double)y)");
float fmaxf(float x, float y) __heddle();
float fmax(float x, float y) __heddle("fmaxf(x, y)");
double fmax(double x, double y) __heddle();
template <class T, class U> double fmax(T x, U y) __heddle("fmax((double)x, (double)y)");
__device__ float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
float pow(float x, int n) __heddle("powf(x, (float)n)");
double pow(double x, int n) __heddle("pow(x, (double)n)");
float fmaf(float x, float y, float z) __heddle();
float fma(float x, float y, float z) __heddle("fmaf(x, y, z)");
double fma(double x, double y, double z) __heddle();
template <class T, class U, class V> double fma(T x, U y, V z) __heddle("fma((double)x, (double)y, (double)z)");
int ilogbf(float x) __heddle();
int ilogb(float x) __heddle("ilogbf(x)");
int ilogb(double x) __heddle();
long lrintf(float x) __heddle();
long lrint(float x) __heddle("lrintf(x)");
long lrint(double x) __heddle();
long long llrintf(float x) __heddle();
long long llrint(float x) __heddle("llrintf(x)");
long long llrint(double x) __heddle();
long lroundf(float x) __heddle();
long lround(float x) __heddle("lroundf(x)");
long lround(double x) __heddle();
long long llroundf(float x) __heddle();
long long llround(float x) __heddle("llroundf(x)");
long long llround(double x) __heddle();
float ldexpf(float x, int n) __heddle();
float ldexp(float x, int n) __heddle("ldexpf(x, n)");
double ldexp(double x, int n) __heddle();
float scalbnf(float x, int n) __heddle();
float scalbn(float x, int n) __heddle("scalbnf(x, n)");
double scalbn(double x, int n) __heddle();
float scalblnf(float x, long n) __heddle("ldexpf(x, (int)clamp(n, -4000l, 4000l))");
double scalbln(double x, long n) __heddle("ldexp(x, (int)clamp(n, -4000l, 4000l))");
float frexpf(float x, int *n) __heddle();
float frexp(float x, int *n) __heddle("frexpf(x, n)");
double frexp(double x, int *n) __heddle();
float modff(float x, float *whole) __heddle();
float modf(float x, float *whole) __heddle("modff(x, whole)");
double modf(double x, double *whole) __heddle();
float remquof(float x, float y, int *n) __heddle();
float remquo(float x, float y, int *n) __heddle("remquof(x, y, n)");
double remquo(double x, double y, int *n) __heddle();
__device__ void sincosf(float x, float *s, float *c) { *s = sinf(x); *c = cosf(x); }
__device__ void sincos(float x, float *s, float *c) { *s = sinf(x); *c = cosf(x); }
__device__ void sincos(double x, double *s, double *c) { *s = sin(x); *c = cos(x); }
__device__ void sincospif(float x, float *s, float *c) { *s = sinpif(x); *c = cospif(x); }
__device__ void sincospi(float x, float *s, float *c) { *s = sinpif(x); *c = cospif(x); }
__device__ void sincospi(double x, double *s, double *c) { *s = sinpi(x); *c = cospi(x); }
__device__ float rcbrtf(float x) { return (float)(1.0 / cbrt((double)x)); }
__device__ double rcbrt(double x) { return 1.0 / cbrt(x); }
__device__ float rcbrt(float x) { return rcbrtf(x); }
__device__ float rhypotf(float x, float y) { return (float)(1.0 / hypot((double)x, (double)y)); }
__device__ double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
__device__ double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
__device__ float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
__device__ double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
__device__ float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
__device__ float rnorm3df(float a, float b, float c) { return (float)(1.0 / norm3d(a, b, c)); }
__device__ double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
__device__ float rnorm4df(float a, float b, float c, float d) { return (float)(1.0 / norm4d(a, b, c, d)); }
__device__ double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
__device__ double norm(int n, const double *p) {
  double r = 0;
  for (int i = 0; i < n; i++)
    r = hypot(r, p[i]);
  return r;
}
__device__ float normf(int n, const float *p) {
  double r = 0;
  for (int i = 0; i < n; i++)
    r += (double)p[i] * p[i];
  return (float)sqrt(r);
}
__device__ double rnorm(int n, const double *p) { return 1.0 / norm(n, p); }
__device__ float rnormf(int n, const float *p) { return 1.0f / normf(n, p); }
__device__ double normcdf(double x) {
  double root = 0.70710678118654752440, t = -x * root;
  double rest = fma(-x, root, -t) - x * -4.8336466567264567e-17, plain = erfc(t);
  double by = 1.1283791670955125739 * exp(-t * t) * rest;
  return 0.5 * (by - by == 0 ? plain - by : plain);
}
__device__ float normcdff(float x) { return (float)normcdf((double)x); }
__device__ float normcdf(float x) { return normcdff(x); }
float nanf(const char *payload) __heddle("(0.0f / 0.0f)");
double nan(const char *payload) __heddle("(0.0 / 0.0)");
int isnan(float x) __heddle();
int isnan(double x) __heddle();
int isinf(float x) __heddle();
int isinf(double x) __heddle();
int isfinite(float x) __heddle();
int isfinite(double x) __heddle();
int isnan(__half x) __heddle("isnan((float)x)");
int isinf(__half x) __heddle("isinf((float)x)");
int isfinite(__half x) __heddle("isfinite((float)x)");
int isnormal(float x) __heddle();
int isnormal(double x) __heddle();
int signbit(float x) __heddle();
int signbit(double x) __heddle();
int finite(double x) __heddle("isfinite(x)");
int __finitef(float x) __heddle("isfinite(x)");
int __finite(double x) __heddle("isfinite(x)");
int __isnanf(float x) __heddle("isnan(x)");
int __isnan(double x) __heddle("isnan(x)");
int __isinff(float x) __heddle("isinf(x)");
int __isinf(double x) __heddle("isinf(x)");
int __signbitf(float x) __heddle("signbit(x)");
int __signbit(double x) __heddle("signbit(x)");
int abs(int x) __heddle();
long abs(long x) __heddle();
long long abs(long long x) __heddle();
float abs(float x) __heddle("fabsf(x)");
double abs(double x) __heddle("fabs(x)");
long labs(long x) __heddle("abs(x)");
long long llabs(long long x) __heddle("abs(x)");
// exp(x * x) * erfc(x), with what x * x loses; beyond 25 by its asymptotic series.
__device__ double erfcx(double x) {
  if (x < 25) {
    double square = x * x, rest = fma(x, x, -square), power = exp(square);
    return power - power == 0 ? (power + power * rest) * erfc(x) : power * erfc(x);
  }
  double r = 1 / (x * x), sum = 162.421875 + r * -1055.7421875;
  sum = 1 + r * (-0.5 + r * (0.75 + r * (-1.875 + r * (6.5625 + r * (-29.53125 + r * sum)))));
  return sum * (0.56418958354775628695 / x);
}
__device__ float erfcxf(float x) { return (float)erfcx((double)x); }
__device__ float erfcx(float x) { return erfcxf(x); }
namespace __hd {
// The x with erf(x) = y in the middle.
__device__ double inverse_erf(double y) {
  double x = y * 0.88622692545275801365;
  for (int i = 0; i < 4; i++) {
    double step = (erf(x) - y) / (1.1283791670955125739 * exp(-x * x));
    x -= step / (1 + x * step);
  }
  return x;
}
// The x with erfc(x) = y, 0 < y <= 1: a first guess, then Halley's steps; for
// the smallest y Newton's, of the logarithms.
__device__ double inverse_erfc(double y) {
  double target = log(y), t = sqrt(2 * (0.69314718055994530942 - target));
  double x = 0.70710678118654752440 * (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)));
  for (int i = 0; i < 3 && y < 1e-280; i++)
    x += (log(erfcx(x)) - x * x - target) * erfcx(x) * 0.88622692545275801365;
  for (int i = 0; i < 3 && y >= 1e-280; i++) {
    double slope = 1.1283791670955125739 * exp(-x * x);
    double step = (erfc(x) - y) / slope;
    x += step / (1 - x * step);
  }
  return x;
}
}
__device__ double erfcinv(double y) {
  if (!(y >= 0 && y <= 2))
    return 0.0 / 0.0;
  if (fabs(1 - y) < 0.5)
    return __hd::inverse_erf(1 - y);
  if (y == 0 || y == 2)
    return y == 0 ? 1.0 / 0.0 : -1.0 / 0.0;
  return y <= 1 ? __hd::inverse_erfc(y) : -__hd::inverse_erfc(2 - y);
}
__device__ double erfinv(double y) {
  if (fabs(y) < 0.5)
    return __hd::inverse_erf(y);
  return y > 0 ? erfcinv(1 - y) : -erfcinv(1 + y);
}
__device__ double normcdfinv(double y) { return -1.4142135623730950488 * erfcinv(2 * y); }
__device__ float erfcinvf(float y) { return (float)erfcinv((double)y); }
__device__ float erfinvf(float y) { return (float)erfinv((double)y); }
__device__ float normcdfinvf(float y) { return (float)normcdfinv((double)y); }
__device__ float erfcinv(float y) { return erfcinvf(y); }
__device__ float erfinv(float y) { return erfinvf(y); }
__device__ float normcdfinv(float y) { return normcdfinvf(y); }
float cyl_bessel_i0f(float x) __heddle_unsupported("the Bessel function 'cyl_bessel_i0f'; write it out");
double cyl_bessel_i0(double x) __heddle_unsupported("the Bessel function 'cyl_bessel_i0'; write it out");
float cyl_bessel_i1f(float x) __heddle_unsupported("the Bessel function 'cyl_bessel_i1f'; write it out");
double cyl_bessel_i1(double x) __heddle_unsupported("the Bessel function 'cyl_bessel_i1'; write it out");
float j0f(float x) __heddle_unsupported("the Bessel function 'j0f'; write it out");
double j0(double x) __heddle_unsupported("the Bessel function 'j0'; write it out");
float j1f(float x) __heddle_unsupported("the Bessel function 'j1f'; write it out");
double j1(double x) __heddle_unsupported("the Bessel function 'j1'; write it out");
float y0f(float x) __heddle_unsupported("the Bessel function 'y0f'; write it out");
double y0(double x) __heddle_unsupported("the Bessel function 'y0'; write it out");
float y1f(float x) __heddle_unsupported("the Bessel function 'y1f'; write it out");
double y1(double x) __heddle_unsupported("the Bessel function 'y1'; write it out");
float jnf(int n, float x) __heddle_unsupported("'jnf'; write it out");
double jn(int n, double x) __heddle_unsupported("'jn'; write it out");
float ynf(int n, float x) __heddle_unsupported("'ynf'; write it out");
double yn(int n, double x) __heddle_unsupported("'yn'; write it out");
constexpr int min(int a, int b) __heddle();
constexpr unsigned min(unsigned a, unsigned b) __heddle();
constexpr long min(long a, long b) __heddle();
constexpr unsigned long min(unsigned long a, unsigned long b) __heddle();
constexpr long long min(long long a, long long b) __heddle();
constexpr unsigned long long min(unsigned long long a, unsigned long long b) __heddle();
constexpr unsigned min(int a, unsigned b) __heddle("min((unsigned)a, b)");
constexpr unsigned min(unsigned a, int b) __heddle("min(a, (unsigned)b)");
constexpr unsigned long min(long a, unsigned long b) __heddle("min((unsigned long)a, b)");
constexpr unsigned long min(unsigned long a, long b) __heddle("min(a, (unsigned long)b)");
constexpr unsigned long long min(long long a, unsigned long long b) __heddle("min((unsigned long long)a, b)");
constexpr unsigned long long min(unsigned long long a, long long b) __heddle("min(a, (unsigned long long)b)");
float min(float a, float b) __heddle("fminf(a, b)");
double min(double a, double b) __heddle("fmin(a, b)");
double min(float a, double b) __heddle("fmin((double)a, b)");
double min(double a, float b) __heddle("fmin(a, (double)b)");
constexpr int max(int a, int b) __heddle();
constexpr unsigned max(unsigned a, unsigned b) __heddle();
constexpr long max(long a, long b) __heddle();
constexpr unsigned long max(unsigned long a, unsigned long b) __heddle();
constexpr long long max(long long a, long long b) __heddle();
constexpr unsigned long long max(unsigned long long a, unsigned long long b) __heddle();
constexpr unsigned max(int a, unsigned b) __heddle("max((unsigned)a, b)");
constexpr unsigned max(unsigned a, int b) __heddle("max(a, (unsigned)b)");
constexpr unsigned long max(long a, unsigned long b) __heddle("max((unsigned long)a, b)");
constexpr unsigned long max(unsigned long a, long b) __heddle("max(a, (unsigned long)b)");
constexpr unsigned long long max(long long a, unsigned long long b) __heddle("max((unsigned long long)a, b)");
constexpr unsigned long long max(unsigned long long a, long long b) __heddle("max(a, (unsigned long long)b)");
float max(float a, float b) __heddle("fmaxf(a, b)");
double max(double a, double b) __heddle("fmax(a, b)");
double max(float a, double b) __heddle("fmax((double)a, b)");
double max(double a, float b) __heddle("fmax(a, (double)b)");
unsigned umin(unsigned a, unsigned b) __heddle("min(a, b)");
unsigned umax(unsigned a, unsigned b) __heddle("max(a, b)");
long long llmin(long long a, long long b) __heddle("min(a, b)");
long long llmax(long long a, long long b) __heddle("max(a, b)");
unsigned long long ullmin(unsigned long long a, unsigned long long b) __heddle("min(a, b)");
unsigned long long ullmax(unsigned long long a, unsigned long long b) __heddle("max(a, b)");
namespace std {
template <class T> constexpr T min(const T &a, const T &b) __heddle("b < a ? b : a");
template <class T> constexpr T max(const T &a, const T &b) __heddle("a < b ? b : a");
typedef ::size_t size_t;
typedef ::ptrdiff_t ptrdiff_t;
using ::sin;
using ::cos;
using ::tan;
using ::asin;
using ::acos;
using ::atan;
using ::sinh;
using ::cosh;
using ::tanh;
using ::asinh;
using ::acosh;
using ::atanh;
using ::exp;
using ::exp2;
using ::expm1;
using ::log;
using ::log2;
using ::log10;
using ::log1p;
using ::logb;
using ::sqrt;
using ::cbrt;
using ::erf;
using ::erfc;
using ::tgamma;
using ::lgamma;
using ::fabs;
using ::floor;
using ::ceil;
using ::trunc;
using ::round;
using ::rint;
using ::nearbyint;
using ::atan2;
using ::pow;
using ::hypot;
using ::fmod;
using ::remainder;
using ::copysign;
using ::fdim;
using ::nextafter;
using ::fmin;
using ::fmax;
using ::fma;
using ::ldexp;
using ::scalbn;
using ::frexp;
using ::modf;
using ::remquo;
using ::ilogb;
using ::lrint;
using ::llrint;
using ::lround;
using ::llround;
using ::isnan;
using ::isinf;
using ::isfinite;
using ::isnormal;
using ::signbit;
using ::abs;
using ::nan;
typedef ::int8_t int8_t;
typedef ::uint8_t uint8_t;
typedef ::int16_t int16_t;
typedef ::uint16_t uint16_t;
typedef ::int32_t int32_t;
typedef ::uint32_t uint32_t;
typedef ::int64_t int64_t;
typedef ::uint64_t uint64_t;
template <class T> constexpr T &&move(T &v) __heddle("v");
template <class T> constexpr T &&forward(T &v) __heddle("v");
template <class T> __device__ void swap(T &a, T &b) { T t = a; a = b; b = t; }
}
