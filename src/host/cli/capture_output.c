#include "cli/capture_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/capture.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "cli/trace_write.h"

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), size = strlen(ending);
    return length > size && strcmp(name + length - size, ending) == 0;
}

/* Names that ask for another form than a capture has. */
static bool is_misnamed(const char *name, bool local)
{
    static const char *const endings[] = {".html", ".csv", ".dat"};
    bool other = local && dj_capture_wants_text(name);
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        other = other || ends_with(name, endings[i]);
    }
    return other;
}

int dj_capture_output_open(struct dj_capture_output *output, const char *asked,
                           bool local, struct dj_error *err)
{
    *output = (struct dj_capture_output){.asked = asked, .path = asked};
    if (strcmp(asked, "-") == 0) {
        return dj_error_set(err, DJ_E_USAGE,
                            "-o -: expected a file's name (/dev/stdout is one)");
    }
    if (is_misnamed(asked, local)) {
        return dj_error_set(
            err, DJ_E_USAGE,
            "-o %.200s: a capture of %s is a trace for Perfetto: expected "
            "a name that ends in .pftrace or .perfetto-trace, or in .json "
            "for Chrome's",
            asked, local ? "this machine" : "a device");
    }
    if (!ends_with(asked, ".json")) {
        return 0;
    }
    int code = dj_output_check(asked, err);
    if (code == 0 && asprintf(&output->beside, "%s.%d.pftrace", asked, getpid()) < 0) {
        output->beside = NULL;
        code = dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    output->path = output->beside;
    return code;
}

int dj_capture_output_end(struct dj_capture_output *output, int64_t *bytes,
                          struct dj_error *err)
{
    struct dj_text note = {0};
    struct stat status;
    if (output->beside == NULL) {
        return 0;
    }
    int code = dj_trace_write(output->beside, output->asked, &note, err);
    if (code != 0) {
        struct dj_error why = err != NULL ? *err : (struct dj_error){0};
        dj_error_set(err, code, "%.250s; what was captured is in %.120s", why.message,
                     output->beside);
    } else {
        unlink(output->beside);
        *bytes = stat(output->asked, &status) == 0 ? (int64_t)status.st_size : 0;
    }
    if (code == 0 && note.length > 0) {
        dj_complain(dj_verb_running(), "%s: %s", output->asked, dj_text_get(&note));
    }
    dj_text_finish(&note);
    return code;
}

void dj_capture_output_finish(struct dj_capture_output *output)
{
    free(output->beside);
    *output = (struct dj_capture_output){.asked = NULL};
}
