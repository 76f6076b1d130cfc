// SPDX-License-Identifier: Apache-2.0
// TEST: classes with pointers to themselves, to each other and to what is never defined
// NVCC: its arrays are of structs
// LAUNCH: chains --grid 1 --block 4 nodes[16]=zeros out[4]=zeros
// OUT: out = [3210, 7654, 12098, 16542]
// LAUNCH: circle --grid 1 --block 4 owners[4]=zeros parts[4]=zeros out[4]=zeros
// OUT: out = [100, 211, 322, 433]
// LAUNCH: both_ways --grid 1 --block 4 links[12]=zeros out[4]=zeros
// OUT: out = [200, 301, 402, 503]
struct Node
{
    int value;
    Node *next;
};

struct Stack
{
    Node *top;
    __device__ void push(Node *node)
    {
        node->next = top;
        top = node;
    }
};

__global__ void chains(Node *nodes, int *out)
{
    Stack stack;
    stack.top = nullptr;
    for (int i = 0; i < 4; i++) {
        Node *node = nodes + 4 * threadIdx.x + i;
        node->value = 4 * threadIdx.x + i;
        stack.push(node);
    }
    int sum = 0;
    for (const Node *node = stack.top; node; node = node->next)
        sum = 10 * sum + node->value;
    out[threadIdx.x] = sum;
    for (int i = 0; i < 4; i++)
        nodes[4 * threadIdx.x + i].next = nullptr;
}

struct Hidden;
struct Part;
struct Owner
{
    Part *part;
    Hidden *hidden;
    int number;
};
struct Part
{
    const Owner *owner;
    Owner copy;
};

__global__ void circle(Owner *owners, Part *parts, int *out)
{
    int t = threadIdx.x;
    owners[t].number = 100 + 10 * t;
    owners[t].part = &parts[t];
    parts[t].owner = &owners[t];
    parts[t].copy.number = 101 * t;
    const Part *part = owners[t].part;
    out[t] = part->owner->part->owner->number + part->copy.number;
    owners[t].part = nullptr;
    parts[t].owner = nullptr;
}

template <typename T> struct Link
{
    T value;
    Link *before;
    Link<T> *behind;
};

// Addresses differ from run to run: none is left.
__global__ void both_ways(Link<int> *links, int *out)
{
    Link<int> *mine = links + 3 * threadIdx.x;
    for (int i = 0; i < 3; i++)
        mine[i] = {(int)threadIdx.x + i, i ? mine + i - 1 : nullptr, i < 2 ? mine + i + 1 : nullptr};
    out[threadIdx.x] = 100 * mine->behind->behind->value + mine[2].before->before->value;
    for (int i = 0; i < 3; i++)
        mine[i].before = mine[i].behind = nullptr;
}
