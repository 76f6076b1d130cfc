// SPDX-License-Identifier: Apache-2.0
// TEST: calls that get a variable's address write it and are done with it; what keeps it may write later
// check loaded: proved
// check tested: proved
// check reported: proved
// check wrapped: proved
// check by_method: proved
// check of_member: proved
// check loaded_again: proved
// check cast: proved
// check with_rest: bug HD0601
// check between: bug HD0601
// check pointed: bug HD0601
// check found: bug HD0601
// check through: bug HD0601
// check referred: bug HD0601
// check in_object: bug HD0601
// check in_container: bug HD0601
// check captured: bug HD0601
// check in_loop: bug HD0601
// check parsed: bug HD0601
// check set_before: bug HD0601
// check shown_behind: proved
// check image: proved
// convert leaves out image: a grid of two dimensions isn't stated
#include <somewhere/loader.h>

// Right for blocks that make up a width alone.
#define OF_WIDTH(name) \
    __global__ void name(int width) \
    { \
        __shared__ int s[8]; \
        s[gridDim.x == width / 8 ? threadIdx.x : 0] = threadIdx.x; \
    }

OF_WIDTH(loaded)
OF_WIDTH(tested)
OF_WIDTH(reported)
OF_WIDTH(wrapped)
OF_WIDTH(by_method)
OF_WIDTH(of_member)
OF_WIDTH(loaded_again)
OF_WIDTH(cast)
OF_WIDTH(with_rest)
OF_WIDTH(between)
OF_WIDTH(pointed)
OF_WIDTH(found)
OF_WIDTH(through)
OF_WIDTH(referred)
OF_WIDTH(in_object)
OF_WIDTH(in_container)
OF_WIDTH(captured)
OF_WIDTH(in_loop)

// Right for n == 5 alone.
#define FIVE(name) \
    __global__ void name(int n) \
    { \
        __shared__ int s[64]; \
        s[n == 5 ? threadIdx.x : 0] = threadIdx.x; \
    }

FIVE(parsed)
FIVE(set_before)
FIVE(shown_behind)

void launch_loaded()
{
    unsigned width, height;
    load(&width, &height);
    dim3 grid(width / 8);
    loaded<<<grid, 8>>>(width);
}

void launch_tested()
{
    unsigned width, height;
    if (!somewhere::load("image", &width, &height))
        return;
    dim3 grid(width / 8);
    tested<<<grid, 8>>>(width);
}

void launch_reported()
{
    int width, height, status;
    bool ok = load<float>("image", &width, &height);
    status = check_all(ok, &height);
    dim3 grid(width / 8);
    reported<<<grid, 8>>>(width);
    printf("%d\n", status);
}

void launch_wrapped()
{
    int width, height;
    CHECK(load(&width, &height));
    dim3 grid(width / 8);
    wrapped<<<grid, 8>>>(width);
}

void launch_by_method(Loader *loader)
{
    int width, height;
    loader->load(&width, &height);
    dim3 grid(width / 8);
    by_method<<<grid, 8>>>(width);
}

struct Image { int width, height; };

void launch_of_member()
{
    Image image;
    load(&image.width, &image.height);
    dim3 grid(image.width / 8);
    of_member<<<grid, 8>>>(image.width);
}

// Both launches take what the first call wrote.
void launch_loaded_again()
{
    unsigned width, height;
    load(&width, &height);
    dim3 grid(width / 8);
    loaded_again<<<grid, 8>>>(width);
    start();
    loaded_again<<<grid, 8>>>(width);
    load(&width, &height);
}

void launch_cast()
{
    int width, height;
    load((void *)&width, (void *)&height);
    dim3 grid(width / 8);
    cast<<<grid, 8>>>(width);
}

void launch_with_rest()
{
    int width, height;
    load(&width, &height);
    dim3 grid(width / 8 + 1);
    with_rest<<<grid, 8>>>(width);
}

void launch_between()
{
    int width, height;
    load(&width, &height);
    dim3 grid(width / 8);
    load(&width, &height);
    between<<<grid, 8>>>(width);
}

void launch_pointed()
{
    int width, height;
    load(&width, &height);
    int *p = &width;
    dim3 grid(width / 8);
    *p = 1;
    pointed<<<grid, 8>>>(width);
}

void launch_found()
{
    int width, height;
    int *p = load(&width, &height);
    dim3 grid(width / 8);
    *p = 1;
    found<<<grid, 8>>>(width);
}

void launch_through()
{
    int width, height;
    auto view = make_view(&width);
    load(&width, &height);
    dim3 grid(width / 8);
    view.set(1);
    through<<<grid, 8>>>(width);
}

void launch_referred()
{
    int width, height;
    auto &first = *load(&width, &height);
    dim3 grid(width / 8);
    first = 1;
    referred<<<grid, 8>>>(width);
}

void launch_in_object()
{
    int width, height;
    Loader loader(&width, &height);
    dim3 grid(width / 8);
    loader.load();
    in_object<<<grid, 8>>>(width);
}

void launch_in_container(Pointers all)
{
    int width, height;
    all.push_back(&width);
    dim3 grid(width / 8);
    *all[0] = 1;
    in_container<<<grid, 8>>>(width);
}

void launch_captured()
{
    int width = next(), height = next();
    auto change = [&width] { width = 1; };
    dim3 grid(width / 8);
    change();
    captured<<<grid, 8>>>(width);
}

void launch_in_loop()
{
    int width = next(), height = next();
    dim3 grid(width / 8);
    for (int i = 0; i < 2; i++) {
        in_loop<<<grid, 8>>>(width);
        load(&width, &height);
    }
}

// What was told the address may write it in another call.
void launch_parsed()
{
    int n;
    add_option("n", &n);
    n = 5;
    parse();
    parsed<<<1, 64>>>(n);
}

void launch_set_before()
{
    int n = 5;
    add_option("n", &n);
    parse();
    set_before<<<1, 64>>>(n);
}

void launch_shown_behind()
{
    int n = 5;
    shown_behind<<<1, 64>>>(n);
    add_option("n", &n);
}

__global__ void image(float *y, int width, int height)
{
    __requires(width * height <= len(y));
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned j = blockIdx.y * blockDim.y + threadIdx.y;
    y[j * width + i] = i;
}

void launch_image(float *y)
{
    unsigned width, height;
    load("image", &width, &height);
    dim3 block(8, 8);
    dim3 grid(width / block.x, height / block.y);
    image<<<grid, block>>>(y, width, height);
}
