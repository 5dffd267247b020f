#include "cli/options.h"

#include <criterion/criterion.h>

#include "base/error.h"

/* The exit codes are a contract: what each error is to a script. */
Test(exits, every_error_has_its_exit_code)
{
    static const struct {
        int code;
        enum dj_exit exit;
    } rows[] = {
        {0, DJ_EXIT_OK},
        {DJ_E_USAGE, DJ_EXIT_USAGE},
        {DJ_E_UNSUPPORTED, DJ_EXIT_USAGE},
        {DJ_E_GONE, DJ_EXIT_DEVICE},
        {DJ_E_TIMEOUT, DJ_EXIT_DEVICE},
        {DJ_E_NOT_FOUND, DJ_EXIT_DEVICE},
        {DJ_E_IO, DJ_EXIT_DEVICE},
        {DJ_E_NO_DATA, DJ_EXIT_DATA},
        {DJ_E_INVALID, DJ_EXIT_DATA},
        {DJ_E_INTERRUPTED, DJ_EXIT_DATA},
        {DJ_E_OUTPUT, DJ_EXIT_DATA},
        {DJ_E_NO_MEMORY, DJ_EXIT_INTERNAL},
        {-1000, DJ_EXIT_INTERNAL},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_assert_eq(dj_exit_for(rows[i].code), rows[i].exit, "code %d", rows[i].code);
    }
}
