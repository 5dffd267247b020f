#include "capture/stack_options.h"

#include <criterion/criterion.h>

Test(stack_options, words)
{
    static const struct {
        const char *words;
        bool valid, cpu, waits;
    } cases[] = {
        {"", true, true, false},         {"cpu", true, true, false},
        {"waits", true, false, true},    {"cpu,waits", true, true, true},
        {"waits,cpu", true, true, true}, {"cpu,cpu", false, false, false},
        {"cpu,", false, false, false},   {",cpu", false, false, false},
        {"CPU", false, false, false},    {"cpu waits", false, false, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct dj_capture_stacks stacks = {.cpu = false};
        bool valid = dj_capture_stacks_parse(cases[i].words, &stacks);
        cr_expect_eq(valid, cases[i].valid, "'%s'", cases[i].words);
        cr_expect(!valid ||
                      (stacks.cpu == cases[i].cpu && stacks.waits == cases[i].waits),
                  "'%s'", cases[i].words);
    }
}
