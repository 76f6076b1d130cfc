// TEST: names whose type or value only the initialiser says aren't known in it
// REF: docs/errors/HD0358.md
__device__ int one(int);
__global__ void k(int *y, int n)
{
    float i = 5;
    {
        auto i = i + 1;           //~ error HD0358: 'i' has no value yet in its own initialiser
        y[0] = i;
    }
    constexpr int c = c + 1;      //~ error HD0358: 'c' has no value yet
    static const int s = s + 1;   //~ error HD0358: 's' has no value yet
    int &r = r;                   //~ error HD0358: 'r' has no value yet
    int (*f)(int) = f;            //~ error HD0358: 'f' has no value yet
    auto g = [&](int m) { return m ? g(m - 1) : 0; }; //~ error HD0337: calls itself
    y[1] = c + s + r + g(3);
}
