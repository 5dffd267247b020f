#include "stacks/cfi/expression.h"

#include <criterion/criterion.h>

static const uint8_t stack[16] = {1, 2, 3, 4, 5, 6, 7, 8, 0x88, 0x77};
static const struct dj_cfi_memory memory = {stack, 0x7000, sizeof(stack)};

static bool compute(const uint8_t *bytes, size_t size, const uint64_t *first,
                    uint64_t *result)
{
    struct dj_cfi_registers registers = {.known = 1 << 7 | 1 << 6};
    registers.values[7] = 0x7000;
    registers.values[6] = 0x7008;
    const struct dj_cfi_rule rule = {.size = (uint32_t)size, .expression = bytes};
    return dj_cfi_expression_compute(&rule, first, &registers, &memory, result);
}

static int64_t value_of(const uint8_t *bytes, size_t size)
{
    uint64_t result = 0;
    cr_expect(compute(bytes, size, NULL, &result));
    return (int64_t)result;
}

#define BYTES(...) (const uint8_t[]){__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__})
#define VALUE(...) value_of(BYTES(__VA_ARGS__))
#define FAILS(...) (!compute(BYTES(__VA_ARGS__), NULL, &(uint64_t){0}))

Test(expression, pushes_constants_and_registers)
{
    cr_expect_eq(VALUE(0x3f), 15);
    cr_expect_eq(VALUE(0x08, 200), 200);
    cr_expect_eq(VALUE(0x09, 200), -56);
    cr_expect_eq(VALUE(0x0a, 1, 2), 0x201);
    cr_expect_eq(VALUE(0x0b, 0xff, 0xff), -1);
    cr_expect_eq(VALUE(0x0c, 1, 0, 0, 0x80), 0x80000001);
    cr_expect_eq(VALUE(0x0d, 1, 0, 0, 0x80), -0x7fffffff);
    cr_expect_eq(VALUE(0x10, 0xb9, 0x64), 12857);
    cr_expect_eq(VALUE(0x11, 0x7e), -2);
    cr_expect_eq(VALUE(0x77, 8), 0x7008);
    cr_expect_eq(VALUE(0x92, 6, 0x78), 0x7000);
}

Test(expression, reads_only_memory_of_the_stack)
{
    cr_expect_eq(VALUE(0x77, 0, 0x06), 0x0807060504030201);
    cr_expect_eq(VALUE(0x76, 0, 0x94, 2), 0x7788);
    cr_expect(FAILS(0x77, 9, 0x06), "the last bytes are beyond the copy");
    cr_expect(FAILS(0x77, 0x7f, 0x06), "below the copy");
    cr_expect(FAILS(0x30, 0x06));
    cr_expect(FAILS(0x11, 0x7f, 0x06), "the address overflows");
    cr_expect(FAILS(0x77, 0, 0x94, 9));
    cr_expect(FAILS(0x73, 0), "an unknown register");
    cr_expect(FAILS(0x92, 99, 0));
}

Test(expression, computes)
{
    cr_expect_eq(VALUE(0x3a, 0x33, 0x1c), 7);
    cr_expect_eq(VALUE(0x33, 0x3a, 0x1c), -7);
    cr_expect_eq(VALUE(0x37, 0x1f), -7);
    cr_expect_eq(VALUE(0x37, 0x1f, 0x19), 7);
    cr_expect_eq(VALUE(0x37, 0x1f, 0x32, 0x1b), -3);
    cr_expect_eq(VALUE(0x37, 0x32, 0x1d), 1);
    cr_expect_eq(VALUE(0x37, 0x33, 0x1e), 21);
    cr_expect_eq(VALUE(0x37, 0x20), -8);
    cr_expect_eq(VALUE(0x37, 0x38, 0x21), 15);
    cr_expect_eq(VALUE(0x37, 0x33, 0x27), 4);
    cr_expect_eq(VALUE(0x37, 0x33, 0x1a), 3);
    cr_expect_eq(VALUE(0x37, 0x23, 0x80, 0x01), 135);
    cr_expect_eq(VALUE(0x31, 0x33, 0x24), 8);
    cr_expect_eq(VALUE(0x11, 0x78, 0x31, 0x26), -4);
    cr_expect_eq(VALUE(0x11, 0x7f, 0x08, 63, 0x25), 1);
    cr_expect_eq(VALUE(0x31, 0x08, 64, 0x24), 0);
    cr_expect_eq(VALUE(0x11, 0x7f, 0x08, 200, 0x26), -1);
    cr_expect(FAILS(0x31, 0x30, 0x1b), "division by zero");
    cr_expect(FAILS(0x31, 0x30, 0x1d));
    /* INT64_MIN / −1 */
    cr_expect_eq(VALUE(0x0e, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x11, 0x7f, 0x1b), INT64_MIN);
}

Test(expression, compares_as_signed_numbers)
{
    cr_expect_eq(VALUE(0x11, 0x7f, 0x31, 0x2d), 1);
    cr_expect_eq(VALUE(0x11, 0x7f, 0x31, 0x2b), 0);
    cr_expect_eq(VALUE(0x31, 0x31, 0x29), 1);
    cr_expect_eq(VALUE(0x31, 0x31, 0x2e), 0);
    cr_expect_eq(VALUE(0x31, 0x31, 0x2a), 1);
    cr_expect_eq(VALUE(0x32, 0x31, 0x2c), 0);
}

Test(expression, rearranges_its_stack)
{
    cr_expect_eq(VALUE(0x37, 0x12, 0x1e), 49);
    cr_expect_eq(VALUE(0x37, 0x38, 0x13), 7);
    cr_expect_eq(VALUE(0x37, 0x38, 0x14), 7);
    cr_expect_eq(VALUE(0x37, 0x38, 0x39, 0x15, 2), 7);
    cr_expect_eq(VALUE(0x37, 0x33, 0x16, 0x1c), -4);
    /* 1 2 3 rot: 3 1 2; 1 − 2 = −1; 3 − −1 = 4 */
    cr_expect_eq(VALUE(0x31, 0x32, 0x33, 0x17, 0x1c, 0x1c), 4);
    cr_expect(FAILS(0x13));
    cr_expect(FAILS(0x31, 0x15, 1));
    cr_expect(FAILS(0x31, 0x22), "one operand is missing");
}

Test(expression, jumps_but_not_out_of_itself_and_not_forever)
{
    cr_expect_eq(VALUE(0x31, 0x2f, 1, 0, 0x32, 0x96), 1);
    cr_expect_eq(VALUE(0x35, 0x31, 0x28, 1, 0, 0x36), 5);
    cr_expect_eq(VALUE(0x35, 0x30, 0x28, 1, 0, 0x36), 6);
    cr_expect(FAILS(0x31, 0x2f, 1, 0), "one byte beyond the end");
    cr_expect(FAILS(0x31, 0x2f, 0xf0, 0xff), "before the start");
    cr_expect(FAILS(0x31, 0x2f, 0xfd, 0xff), "an endless loop");
    cr_expect(FAILS(0x31, 0x2f, 0xfc, 0xff), "the stack grows without end");
}

Test(expression, refuses_the_unknown_and_the_empty)
{
    cr_expect(FAILS(0xe0));
    cr_expect(FAILS(0x96), "no result");
    uint64_t result = 0, first = 42;
    cr_assert(compute(BYTES(0x23, 8), &first, &result));
    cr_expect_eq(result, 50);
}

/* The CFA of a procedure linkage table of ld:
 * breg7 8; breg16 0; lit15; and; lit11; ge; lit3; shl; plus */
Test(expression, computes_the_cfa_of_a_linkage_table)
{
    static const uint8_t bytes[] = {0x77, 8,    0x80, 0,    0x3f, 0x1a,
                                    0x3b, 0x2a, 0x33, 0x24, 0x22};
    const struct dj_cfi_rule rule = {.size = sizeof(bytes), .expression = bytes};
    struct dj_cfi_registers registers = {.known = 1 << 7 | 1 << 16};
    uint64_t cfa = 0;
    registers.values[7] = 0x7000;
    registers.values[16] = 0x102a; /* Before the push of the entry. */
    cr_assert(dj_cfi_expression_compute(&rule, NULL, &registers, &memory, &cfa));
    cr_expect_eq(cfa, 0x7008);
    registers.values[16] = 0x102b; /* After it. */
    cr_assert(dj_cfi_expression_compute(&rule, NULL, &registers, &memory, &cfa));
    cr_expect_eq(cfa, 0x7010);
}
