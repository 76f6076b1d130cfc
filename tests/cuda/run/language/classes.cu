// SPDX-License-Identifier: Apache-2.0
// TEST: classes: constructors, inheritance, static members, nested types, methods outside, const methods, delegation
namespace shapes {
class Base {
public:
    enum Kind { POINT, BOX };
    typedef int Area;
    __device__ explicit Base(int id) : id_(id), kind_(POINT) {}
    __device__ int id() const { return id_; }
    __device__ Kind kind() const { return kind_; }
    __device__ static int twice(int v) { return 2 * v; }

protected:
    int id_;
    Kind kind_;
};

class Box : public Base {
public:
    __device__ Box(int id, int w, int h) : Base(id), width(w), height(h) { kind_ = BOX; }
    __device__ Box(int id, int side) : Box(id, side, side) {}
    __device__ Area area() const;
    __device__ Box &grow(int by)
    {
        this->width += by;
        height += by;
        return *this;
    }
    struct Corner {
        int x, y;
    };
    __device__ Corner corner() const { return Corner{width, height}; }

private:
    int width, height;
};

__device__ Base::Area Box::area() const { return width * height; }
} // namespace shapes

struct Cell {
    int value = 7;
    float weight{0.5f};
    shapes::Box::Corner at = {1, 2};
};

__device__ int describe(const shapes::Base &b) { return b.id() * 10 + b.kind(); }

__global__ void classes(int *out)
{
    int i = threadIdx.x, n = blockDim.x, k = 0;
    shapes::Box square(i, 3), box{i + 1, 2, 5};
    const shapes::Box &ref = box;
    out[k++ * n + i] = square.area() + 100 * ref.area();
    out[k++ * n + i] = square.grow(1).grow(2).area();
    out[k++ * n + i] = describe(box);
    out[k++ * n + i] = shapes::Base::twice(i) + shapes::Box::twice(1);
    out[k++ * n + i] = ref.corner().x * 10 + ref.corner().y;
    Cell c, d{i};
    Cell *p = &d;
    p->at.y += 3;
    out[k++ * n + i] = c.value + d.value * 100 + (int)(c.weight * 8) + p->at.y;
    out[k++ * n + i] = box.kind() == shapes::Base::BOX ? shapes::Base::BOX : shapes::Base::POINT;
}
// PY: def reference(n):
// PY:     i = np.arange(n)
// PY:     return np.concatenate([0 * i + 1009, 0 * i + 36, (i + 1) * 10 + 1, 2 * i + 2, 0 * i + 25, 7 + 100 * i + 4 + 5, 0 * i + 1])
// LAUNCH: out[224]=zeros --block 32 --grid 1
// OUT: out = reference(32)
