/* Works in two threads until it is killed, with virtual calls, function objects,
 * algorithms with callbacks, and exceptions. The program is linked without symbols. */
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace
{

struct Shape {
    virtual ~Shape() = default;
    virtual double draw(int depth) const = 0;
};

struct Leaf : Shape {
    double draw(int depth) const override
    {
        double value = depth;
        for (int i = 0; i < 500; i++) {
            value = value * 1.0000001 + 0.5;
        }
        return value;
    }
};

struct Group : Shape {
    std::vector<std::unique_ptr<Shape>> children;

    double draw(int depth) const override
    {
        double sum = 0;
        std::for_each(
            children.begin(), children.end(),
            [&](const std::unique_ptr<Shape> &child) { sum += child->draw(depth + 1); });
        return sum;
    }
};

std::unique_ptr<Shape> build(int depth)
{
    if (depth == 0) {
        return std::make_unique<Leaf>();
    }
    auto group = std::make_unique<Group>();
    for (int i = 0; i < 3; i++) {
        group->children.push_back(build(depth - 1));
    }
    return group;
}

int count_words(int seed)
{
    std::map<std::string, int> words;
    for (int i = 0; i < 200; i++) {
        words[std::to_string((seed + i) % 50)]++;
    }
    return static_cast<int>(words.size());
}

int throw_through(int depth)
{
    if (depth == 0) {
        throw std::runtime_error("planned");
    }
    return throw_through(depth - 1) + 1;
}

void work(int seed)
{
    const auto root = build(5);
    const std::function<double(int)> draw = [&](int depth) { return root->draw(depth); };
    volatile double sink = 0;
    for (;; seed++) {
        sink = sink + draw(seed) + count_words(seed);
        try {
            throw_through(seed % 10);
        } catch (const std::exception &error) {
            sink = sink + error.what()[0];
        }
    }
}

} // namespace

int main()
{
    std::thread other(work, 1000);
    work(0);
    other.join();
}
