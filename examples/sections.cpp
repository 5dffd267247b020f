/*
 * Sections in C++: a section lasts as long as its block, even if an exception leaves the
 * block.
 *
 *   sections-cpp      then: dejank trace read sections-cpp
 */
#include <dejank/frames.h>
#include <dejank/sections.h>

#include <cstdio>
#include <stdexcept>
#include <vector>

static int parse(int value)
{
    dejank::Section section("parse");
    if (value % 3 == 2) {
        throw std::runtime_error("every third one is wrong");
    }
    return 2 * value;
}

static std::vector<int> load(int count)
{
    dejank::Section section("load");
    std::vector<int> values;
    for (int i = 0; i < count; i++) {
        try {
            values.push_back(parse(i));
        } catch (const std::runtime_error &) {
            dejank_counter_set("wrong", i);
        }
    }
    return values;
}

int main()
{
    dejank_frame_begin(1);
    std::printf("%zu values\n", load(9).size());
    dejank_frame_end();
    return 0;
}
