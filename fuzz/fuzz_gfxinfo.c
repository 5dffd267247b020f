/* Reading any text, printing what was read and reading that again: the second print is
 * the first. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/parse.h"
#include "gfxinfo/print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_and_print(const char *bytes, size_t length, struct dj_text *printed)
{
    struct dj_print_options options = {.dialect = dj_dialect_default(),
                                       .framestats = true};
    struct dj_dump dump;
    struct dj_parse_report report;
    struct dj_error err = {0};
    int code = dj_parse_dump(bytes, length, &dump, &report, &err);
    if (report.rows_bad > report.rows || (code != 0 && err.message[0] == '\0')) {
        abort();
    }
    if (code == 0) {
        dj_print_dump(printed, &dump, &options);
    }
    dj_dump_finish(&dump);
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_text first = {0};
    struct dj_text second = {0};
    if (read_and_print((const char *)data, size, &first) == 0) {
        if (read_and_print(dj_text_get(&first), first.length, &second) != 0 ||
            first.length != second.length ||
            memcmp(dj_text_get(&first), dj_text_get(&second), first.length) != 0) {
            abort();
        }
    }
    dj_text_finish(&first);
    dj_text_finish(&second);
    return 0;
}
