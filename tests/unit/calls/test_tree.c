#include <criterion/criterion.h>
#include <stdio.h>

#include "base/count_of.h"
#include "calls/tree.h"

static uint32_t add(struct dj_calls_tree *tree, const char *name, const char *module,
                    uint64_t offset)
{
    const struct dj_calls_address address = {.name = dj_str_of(name),
                                             .module = dj_str_of(module),
                                             .build_id = dj_str_of("ab12"),
                                             .offset = offset};
    return dj_calls_tree_add_function(tree, &address);
}

static const struct dj_calls_function *add_and_get(struct dj_calls_tree *tree,
                                                   const char *name, const char *module,
                                                   uint64_t offset)
{
    uint32_t function = add(tree, name, module, offset);
    return &tree->functions[function];
}

Test(calls_tree, a_symbol_is_one_function_at_all_its_addresses)
{
    struct dj_calls_tree tree = {0};
    uint32_t function = add(&tree, "draw", "/usr/lib/libx.so.1", 0x1000);
    cr_expect_eq(add(&tree, "draw", "/usr/lib/libx.so.1", 0x1010), function);
    cr_expect_neq(add(&tree, "draw", "/usr/lib/liby.so.1", 0x1000), function);
    cr_expect_str_eq(tree.functions[function].name, "draw");
    cr_expect_str_eq(tree.functions[function].build_id, "ab12");
    cr_expect_eq(tree.functions[function].offset, 0);
    cr_expect(tree.functions[function].named);
    dj_calls_tree_finish(&tree);
}

Test(calls_tree, a_function_without_a_symbol_is_its_offset_in_its_file)
{
    struct dj_calls_tree tree = {0};
    uint32_t function = add(&tree, "", "/usr/lib/libx.so.1", 0x1a2b);
    cr_expect_str_eq(tree.functions[function].name, "libx.so.1!0x1a2b");
    cr_expect_eq(tree.functions[function].offset, 0x1a2b);
    cr_expect_not(tree.functions[function].named);
    /* The recorder may write the start of the function as its name. */
    cr_expect_eq(add(&tree, "libx.so.1!0x1a2b", "/usr/lib/libx.so.1", 0x1a40), function);
    cr_expect_str_eq(add_and_get(&tree, "", "", 16)->name, "0x10");
    dj_calls_tree_finish(&tree);
}

Test(calls_tree, only_an_offset_looks_like_one)
{
    static const char *const symbols[] = {
        "operator!", "a!0x", "!0xzz", "x!0xABC", "0x12", "a!0x12345678901234567", "!"};
    struct dj_calls_tree tree = {0};
    for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
        cr_expect(add_and_get(&tree, symbols[i], "m", 1)->named, "%s", symbols[i]);
    }
    dj_calls_tree_finish(&tree);
}

Test(calls_tree, stacks_with_the_same_callers_share_nodes)
{
    struct dj_calls_tree tree = {0};
    uint32_t main_function = add(&tree, "main", "app", 0);
    uint32_t draw = add(&tree, "draw", "app", 0);
    uint32_t outer = dj_calls_tree_add_node(&tree, DJ_CALLS_ROOT, main_function);
    uint32_t inner = dj_calls_tree_add_node(&tree, outer, draw);
    cr_expect_eq(dj_calls_tree_add_node(&tree, outer, draw), inner);
    cr_expect_neq(dj_calls_tree_add_node(&tree, inner, draw), inner);
    cr_expect_eq(tree.nodes[outer].depth, 0);
    cr_expect_eq(tree.nodes[inner].depth, 1);
    cr_expect_eq(tree.nodes[inner].parent, outer);
    cr_expect_eq(tree.node_count, 4);
    dj_calls_tree_finish(&tree);
}

Test(calls_tree, a_stack_of_endless_recursion_ends)
{
    struct dj_calls_tree tree = {0};
    uint32_t function = add(&tree, "again", "app", 0);
    uint32_t node = DJ_CALLS_ROOT;
    for (int i = 0; i < 2 * DJ_CALLS_DEPTH_MAX; i++) {
        node = dj_calls_tree_add_node(&tree, node, function);
    }
    cr_expect_eq(tree.nodes[node].depth, DJ_CALLS_DEPTH_MAX - 1);
    struct dj_calls_tree other = {0};
    struct dj_calls_copy copy = {.from = &tree, .to = &other};
    cr_expect_eq(other.nodes != NULL, false);
    uint32_t copied = dj_calls_copy_node(&copy, node);
    cr_expect_eq(other.nodes[copied].depth, DJ_CALLS_DEPTH_MAX - 1);
    dj_calls_copy_finish(&copy);
    dj_calls_tree_finish(&other);
    dj_calls_tree_finish(&tree);
}

Test(calls_tree, copies_of_two_trees_share_functions)
{
    struct dj_calls_tree trees[2] = {0}, all = {0};
    uint32_t copied[2];
    for (int i = 0; i < 2; i++) {
        /* The second tree numbers its functions in another order. */
        uint32_t first = add(&trees[i], i == 0 ? "main" : "", "app", 0x10);
        uint32_t second = add(&trees[i], i == 0 ? "" : "main", "app", 0x10);
        uint32_t outer =
            dj_calls_tree_add_node(&trees[i], DJ_CALLS_ROOT, i == 0 ? first : second);
        uint32_t inner =
            dj_calls_tree_add_node(&trees[i], outer, i == 0 ? second : first);
        struct dj_calls_copy copy = {.from = &trees[i], .to = &all};
        copied[i] = dj_calls_copy_node(&copy, inner);
        cr_expect_eq(dj_calls_copy_node(&copy, inner), copied[i]);
        cr_expect_eq(dj_calls_copy_node(&copy, DJ_CALLS_ROOT), DJ_CALLS_ROOT);
        dj_calls_copy_finish(&copy);
        dj_calls_tree_finish(&trees[i]);
    }
    cr_expect_eq(copied[0], copied[1]);
    cr_expect_eq(all.function_count, 2);
    cr_expect_str_eq(all.functions[all.nodes[copied[0]].function].name, "app!0x10");
    dj_calls_tree_finish(&all);
}

Test(calls_tree, functions_of_the_kernel_and_of_its_modules)
{
    static const struct {
        const char *name, *module;
        uint64_t offset;
        bool in_kernel;
    } all[] = {
        {"schedule", "[kernel.kallsyms]", 0, true},
        {"schedule", "[kernel.kallsyms]_text", 0, true},
        {"schedule", "[guest.kernel.kallsyms]", 0, true},
        {"schedule", "/usr/lib/debug/boot/vmlinux-6.1.0", 0, true},
        {"schedule", "/kernel", 0, true},
        {"schedule", "/proc/kcore", 0, true},
        {"i915_wait", "[i915]", 0, true},
        {"i915_wait", "/lib/modules/6.1/kernel/i915.ko", 0, true},
        {"", "/vendor/lib/modules/gpu.ko.xz", 0x10, true},
        {"[kernel]", "", 0, true},
        {"", "", UINT64_C(0xffffffff81000000), true},
        {"schedule", "", UINT64_C(0xffffffff81000000), true},
        {"", "", 0x7f0000001000, false},
        {"main", "", 0, false},
        {"main", "/usr/bin/app", 0, false},
        {"main", "/usr/lib/libko.so", 0, false},
        {"clock_gettime", "[vdso]", 0, false},
        {"run", "[anon:dalvik-jit-code-cache]", 0, false},
        {"run", "[JIT] tid 12", 0, false},
        {"run", "[stack]", 0, false},
    };
    struct dj_calls_tree tree = {0};
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        const struct dj_calls_function *function =
            add_and_get(&tree, all[i].name, all[i].module, all[i].offset);
        cr_expect_eq(function->in_kernel, all[i].in_kernel, "%s %s", all[i].name,
                     all[i].module);
    }
    dj_calls_tree_finish(&tree);
}

Test(calls_tree, a_copy_of_a_function_of_the_kernel_without_a_module_is_in_the_kernel)
{
    static const uint64_t offsets[] = {0x401000, UINT64_C(0xffffffff81000000)};
    struct dj_calls_tree tree = {0}, other = {0};
    uint32_t node = DJ_CALLS_ROOT;
    for (size_t i = 0; i < COUNT_OF(offsets); i++) {
        node = dj_calls_tree_add_node(&tree, node, add(&tree, "read", "", offsets[i]));
    }
    cr_assert_eq(tree.function_count, 2, "the program and the kernel have a function");
    struct dj_calls_copy copy = {.from = &tree, .to = &other};
    uint32_t copied = dj_calls_copy_node(&copy, node);
    uint32_t caller = dj_calls_tree_find_kernel_caller(&other, copied);
    cr_expect_neq(caller, copied);
    cr_expect_eq(other.nodes[caller].depth, 0);
    dj_calls_copy_finish(&copy);
    dj_calls_tree_finish(&other);
    dj_calls_tree_finish(&tree);
}
