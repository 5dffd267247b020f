#include "dumpsys/switches.h"

#include <string.h>

#include "dumpsys/output.h"
#include "segment/select.h"

static int usage(void)
{
    dj_output_error(&(struct dj_error){
        .message =
            "expected: dumpsys dejank version, or: dumpsys dejank profile on|off NAME"});
    return DJ_OUTPUT_USAGE;
}

static int print_version(void)
{
    struct dj_text text = {0};
    dj_text_string(&text, "dejank " DEJANK_VERSION "\n");
    return dj_output_text(&text);
}

static int switch_profile(bool on, const char *name)
{
    struct dj_segment_selection selection = {0};
    struct dj_error err = {0};
    int status = DJ_OUTPUT_FAILED;
    if (dj_segment_select(name, dj_output_complaint, NULL, &selection, &err) != 0) {
        dj_output_error(&err);
    } else if (selection.count == 0) {
        dj_error_set(&err, DJ_E_NOT_FOUND, "No process found for: %s", name);
        dj_output_error(&err);
        status = DJ_OUTPUT_NO_DATA;
    } else if (dj_segment_selection_set_profile(&selection, on, dj_output_complaint, NULL,
                                                NULL) == 0) {
        status = 0;
    }
    dj_segment_selection_finish(&selection);
    return status;
}

int dj_dump_dejank(int count, char *const *words)
{
    if (count == 0 || (count == 1 && strcmp(words[0], "version") == 0) ||
        (count == 1 && strcmp(words[0], "-a") == 0)) {
        return print_version();
    }
    if (count != 3 || strcmp(words[0], "profile") != 0) {
        return usage();
    }
    if (strcmp(words[1], "on") == 0) {
        return switch_profile(true, words[2]);
    }
    return strcmp(words[1], "off") == 0 ? switch_profile(false, words[2]) : usage();
}
