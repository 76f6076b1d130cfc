// SPDX-License-Identifier: Apache-2.0
// TEST: behind an atomic of an unknown place threads may be ordered: no run shows a race there, others do
// check-args: --block 32 --grid 2
// check locked: unknown HD0601 line @locked
// check of_table: unknown HD0601 line @table
// check unlocked: bug HD0601 line @unlocked

struct Lock {
    int *mutex;
    __device__ void lock()
    {
        while (atomicCAS(mutex, 0, 1) != 0)
            ;
        __threadfence();
    }
    __device__ void unlock()
    {
        __threadfence();
        atomicExch(mutex, 0);
    }
};

__global__ void locked(Lock *locks, float *x)
{
    // heddle: requires 1 <= len(x)
    locks[1].lock();
    x[0] = x[0] + 1; //@locked
    locks[1].unlock();
}

__global__ void of_table(int **mutexes, float *x)
{
    // heddle: requires 1 <= len(x)
    Lock lock;
    lock.mutex = mutexes[1];
    lock.lock();
    x[0] = x[0] + 1; //@table
    lock.unlock();
}

__global__ void unlocked(Lock *locks, float *x)
{
    // heddle: requires 1 <= len(x)
    if (!locks[1].mutex)
        x[0] = x[0] + 1; //@unlocked
}
