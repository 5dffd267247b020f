/* The text of a dump, from anywhere: read, and what was read printed again, in both
 * forms. */
#include "gfxinfo/parse.h"
#include "gfxinfo/print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_dump dump = {0};
    struct dj_parse_report report = {0};
    struct dj_error err = {0};
    struct dj_text text = {.maximum = (size_t)1 << 26};
    if (dj_parse_dump((const char *)data, size, &dump, &report, &err) == 0) {
        struct dj_print_options options = {
            .dialect = dump.dialect != NULL ? dump.dialect : dj_dialect_default(),
        };
        dj_print_dump(&text, &dump, &options);
        options.framestats = true;
        options.rows = 120;
        dj_print_dump(&text, &dump, &options);
    }
    dj_text_finish(&text);
    dj_dump_finish(&dump);
    return 0;
}
