#include "planted.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

enum { SAMPLE_NS = 1000000 };

static struct dj_calls_tree tree;
static struct dj_calls_sample *samples;
static size_t sample_count;
static struct dj_calls_sides sides;
static struct dj_calls_difference result;

void planted_start(size_t janky, size_t smooth)
{
    sides = (struct dj_calls_sides){
        .tree = &tree, .janky_count = janky, .smooth_count = smooth};
    planted_stack("main");
}

void planted_finish(void)
{
    dj_calls_difference_finish(&result);
    dj_calls_tree_finish(&tree);
    free(samples);
    samples = NULL;
    sample_count = 0;
}

uint32_t planted_stack(const char *path)
{
    uint32_t node = DJ_CALLS_ROOT;
    for (size_t length; path[0] != '\0'; path += length) {
        path += path[0] == '/';
        length = strcspn(path, "/");
        bool named = path[0] != '?';
        const char *module = path[0] == '[' ? "[kernel.kallsyms]" : "/usr/bin/app";
        const struct dj_calls_address address = {.name = {path, named ? length : 0},
                                                 .module = dj_str_of(module),
                                                 .offset = named ? 0 : (uint64_t)path[1]};
        node = dj_calls_tree_add_node(&tree, node,
                                      dj_calls_tree_add_function(&tree, &address));
    }
    return node;
}

static void add(uint32_t frame, const char *path, bool guessed)
{
    DJ_XPUSH(samples, sample_count,
             (struct dj_calls_sample){frame, planted_stack(path), SAMPLE_NS, guessed});
}

void planted_add(uint32_t frame, const char *path, int count)
{
    for (int i = 0; i < count; i++) {
        add(frame, path, false);
    }
}

void planted_add_guess(uint32_t frame, const char *path)
{
    add(frame, path, true);
}

const struct dj_calls_difference *planted_result(void)
{
    dj_calls_difference_finish(&result);
    sides.samples = samples;
    sides.sample_count = sample_count;
    dj_calls_difference_compute(&sides, &result);
    return &result;
}

const char *planted_name(size_t cause)
{
    return cause < result.cause_count ? tree.functions[result.causes[cause].function].name
                                      : "";
}

const char *planted_node_name(uint32_t node)
{
    return node == DJ_CALLS_ROOT ? "" : tree.functions[tree.nodes[node].function].name;
}
