// SPDX-License-Identifier: Apache-2.0
// TEST: a mistake in a comment for Heddle is one error, one without effect a warning; a kernel of an enumeration's value is named by it
// heddle: requires n <= = 4
//~^ error HD0201: expected an expression, found '='
__global__ void told(int *x, int n)
{
    x[n] = 1;
}

enum class Mode { slow, fast = 5 };
template <Mode M> __global__ void moded(int *x)
{
    x[0] = gone; //~ error HD0301: 'gone' is not declared
}
template __global__ void moded<Mode::fast>(int *);

// What has no effect is told.
// heddle: require n <= 4
//~^ warning HD1160: '// heddle: require' has no effect: only 'requires' and 'assume' are known
// heddle: n <= 4
//~^ warning HD1160: '// heddle: n' has no effect
__global__ void misspelt(int *x, int n)
{
    // heddle: assume n == 4
    // heddle: Requires n == 4
    //~^ warning HD1160: only 'requires' and 'assume' are known
    x[n] = 1;
}

// heddle: requires n <= 4
//~^ warning HD1160: 'helper', which it precedes, is not a kernel
__device__ int helper(int n)
{
    return n;
}

// What would harm the text behind it has no effect either.
// heddle: requires (n <= 4
//~^ warning HD1160: '// heddle: requires' has no effect: its brackets must match
__global__ void unbalanced(int *x, int n)
{
    // heddle: assume n == '4'
    //~^ warning HD1160: '// heddle: assume' has no effect: its brackets must match, and no quotes
    x[n] = 1; // heddle: requires n <= 4 \
                 goes on
    //~^^ warning HD1160: '// heddle: requires' has no effect: its brackets must match, and no quotes are in it, nor a '\' at its end
    // heddle: assume )
    //~^ warning HD1160: '// heddle: assume' has no effect
}

// heddle: requires n <= 4
//~^ warning HD1160: no kernel follows
