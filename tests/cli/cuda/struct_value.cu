// SPDX-License-Identifier: Apache-2.0
// TEST: structs by value, and arrays of structs, are given as files of their bytes, or as zeros
struct Line {
    float from, slope;
    int n;
};
__global__ void points(Line line, float *y)
{
    int i = threadIdx.x;
    if (i < line.n)
        y[i] = line.from + i * line.slope;
    else
        y[i] = -1;
}
struct Padded {
    unsigned char a;
    double b;
};
__global__ void padded(const Padded *p, float *y)
{
    y[threadIdx.x] = p[threadIdx.x].b;
}
__global__ void many(const Line *lines, float *y)
{
    y[threadIdx.x] = lines[threadIdx.x].slope;
}
// SETUP: %python -c "import numpy as np; np.save('line.npy', np.array([1.5, 0.5, 3], np.float32)); np.save('bytes.npy', np.r_[np.array([1.5, 0.5], np.float32).view(np.uint8), np.array([3], np.int32).view(np.uint8)])"
// RUN: heddle run %s points line=@bytes.npy 'y[4]=zeros' --block 4 --grid 1 --print y
// PRINTS: y = [1.5 2 2.5 -1]
// RUN: heddle run %s points line=zeros 'y[4]=zeros' --block 4 --grid 1 --print y
// PRINTS: y = [-1 -1 -1 -1]
// RUN: heddle run %s points 'y[4]=zeros' --block 4 --grid 1
// EXIT: 2
// STDERR: line=zeros
// RUN: heddle run %s points line=5 'y[4]=zeros' --block 4 --grid 1
// EXIT: 2
// STDERR: argument 'line' is a struct of 12 bytes by value, to be given as line=@FILE.npy or line=zeros
// RUN: %python -c "import numpy as np; np.save('long.npy', np.zeros(4, np.float32))"; heddle run %s points line=@long.npy 'y[4]=zeros' --block 4 --grid 1
// EXIT: 2
// STDERR: long.npy: it has 16 bytes
// RUN: heddle run %s points line=@none.npy 'y[4]=zeros' --block 4 --grid 1
// EXIT: 2
// STDERR: none.npy
// SETUP: %python -c "import numpy as np; np.save('lines.npy', np.array([(1, 2, 3), (4, 5, 6)], [('from', '<f4'), ('slope', '<f4'), ('n', '<i4')]))"
// RUN: heddle run %s many lines=@lines.npy 'y[2]=zeros' --block 2 --grid 1 --print y
// PRINTS: y = [2 5]
// RUN: %python -c "import numpy as np; p = np.dtype([('from', '<f4'), ('slope', '<f4')]); np.save('nested.npy', np.array([((1, 2), 3), ((4, 5), 6)], [('p', p), ('n', '<i2', (2,))]))"; heddle run %s many lines=@nested.npy 'y[2]=zeros' --block 2 --grid 1 --print y
// PRINTS: y = [2 5]
// RUN: %python -c "import numpy as np; np.save('swapped.npy', np.zeros(2, [('from', '>f4'), ('slope', '>f4'), ('n', '>i4')]))"; heddle run %s many lines=@swapped.npy 'y[2]=zeros' --block 2 --grid 1
// EXIT: 2
// STDERR: its records aren't in the order of bytes of this machine
// RUN: %python -c "import numpy as np; np.save('short.npy', np.zeros(2, [('from', '<f4'), ('n', '<i4')]))"; heddle run %s many lines=@short.npy 'y[2]=zeros' --block 2 --grid 1
// EXIT: 2
// STDERR: lines
// RUN: %python -c "import numpy as np; np.save('aligned.npy', np.array([(1, 2), (3, 4)], np.dtype([('a', 'u1'), ('b', '<f8')], align=True)))"; heddle run %s padded p=@aligned.npy 'y[2]=zeros' --block 2 --grid 1 --print y
// PRINTS: y = [2 4]
// RUN: heddle run %s many 'lines[2]=zeros' 'y[2]=full:1' --block 2 --grid 1 --print y
// PRINTS: y = [0 0]
// RUN: heddle run %s many 'lines[2]=full:1' 'y[2]=zeros' --block 2 --grid 1
// EXIT: 2
// STDERR: argument 'lines': elements that are structs can be zeros, or come from a file of elements of their size, NAME=@FILE.npy
