#include <criterion/criterion.h>

#include "measure/batch.h"

static void compute_digits(const char *const *more, char digits[DJ_FINGERPRINT])
{
    struct dj_driver_maker maker = {
        .kind = "instrument", .arguments = "a.test", .more = more};
    struct dj_flow_plan flow = {.name = "tests", .maker = &maker};
    struct dj_batch_plan plan = {.package = "a", .runs = 3};
    cr_assert(dj_batch_fingerprint(&plan, &flow, "phone", digits, NULL) == 0);
}

/* --resume only continues a batch with the same arguments. These include the selected
 * tests and their arguments. */
Test(fingerprint, driver_arguments_change_the_fingerprint)
{
    static const char *const words[][4] = {
        {NULL}, {"a.B#c", NULL}, {"size", "large", NULL}, {"size", "small", NULL}};
    char digits[4][DJ_FINGERPRINT];
    char none[DJ_FINGERPRINT];
    compute_digits(NULL, none);
    for (size_t i = 0; i < 4; i++) {
        compute_digits(words[i], digits[i]);
        for (size_t k = 0; k < i; k++) {
            cr_expect_str_neq(digits[i], digits[k]);
        }
    }
    cr_expect_str_eq(none, digits[0]);
}
