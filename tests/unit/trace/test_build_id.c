#include "trace/model/build_id.h"

#include <criterion/criterion.h>

static const char *read(const char *stored, size_t length)
{
    static char text[DJ_STACKS_BUILD_ID_TEXT];
    struct dj_stacks_build_id id =
        dj_trace_read_build_id((struct dj_str){stored, length});
    dj_stacks_build_id_format(&id, text);
    return text;
}

Test(build_id, reads_bytes)
{
    cr_expect_str_eq(read("\xab\x01\x00", 3), "ab0100");
    cr_expect_str_eq(read("", 0), "");
    cr_expect_str_eq(read("0123456789abcde", 15), "303132333435363738396162636465");
    cr_expect_str_eq(read("0123456789abcde\xff", 16), "303132333435363738396162636465ff");
}

Test(build_id, reads_hexadecimal_of_both_cases)
{
    cr_expect_str_eq(read("0123456789abcdef", 16), "0123456789abcdef");
    cr_expect_str_eq(read("0123456789ABCDEF", 16), "0123456789abcdef");
}

Test(build_id, too_long_is_unknown)
{
    char stored[67];
    memset(stored, 'a', sizeof(stored));
    cr_expect_eq(strlen(read(stored, 64)), 64);
    cr_expect_str_eq(read(stored, 66), "");
    memset(stored, 'z', sizeof(stored));
    cr_expect_eq(strlen(read(stored, 32)), 64);
    cr_expect_str_eq(read(stored, 33), "");
}
