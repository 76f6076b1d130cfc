int Ã© = 3; ÿ ` @ # \u0041 "a
 template <class T, int N = (3 > 2), template <class> class Q> struct X { X<T, N, Q> *p; }; X<X<int, 1>, 2> y; void f() { y.z<1>::w(); } ) } ]