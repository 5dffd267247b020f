#include "trace/likeness.h"

#include <string.h>

#include "device/quote.h"
#include "gfxinfo/parse.h"

const char dj_likeness_gfxinfo[] = "this is the output of dumpsys gfxinfo";

static bool is_gfxinfo(const char *bytes, size_t length)
{
    struct dj_dump dump = {0};
    bool seen = dj_parse_dump(bytes, length, &dump, NULL, NULL) == 0;
    dj_dump_finish(&dump);
    return seen;
}

static int refuse_gfxinfo(const char *name, struct dj_error *err)
{
    struct dj_text word = {0};
    dj_quote_word(&word, strcmp(name, "standard input") == 0 ? "-" : name);
    int code = dj_error_set_at(err, DJ_E_INVALID, 0,
                               "%s: byte 0: %s, not a trace; run: dejank parse %s", name,
                               dj_likeness_gfxinfo, dj_text_get(&word));
    dj_text_finish(&word);
    return code;
}

const char *dj_likeness_of(const char *bytes, size_t length)
{
    static const char json[] =
        "this is JSON, with no event in it that Chrome's traces have (traceEvents), nor "
        "the kernel's text (systemTraceEvents); ";
    static const struct {
        const char *begin, *says;
    } kinds[] = {
        {"{", json},
        {"[", json},
        {"\xc1\x1f\xfc\xc1", "this is CTF, as LTTng has it, which is not read; "},
        {"PERFILE2", "this is data of perf record, which is not read; "},
        {"# tracer:",
         "this is text of the kernel's trace with no event in it, or with none that says "
         "its thread, CPU and time (options raw, hex, bin, nocontext-info and the "
         "kernel's latency-format leave them out); "},
    };
    if (length == 0) {
        return "it is empty; ";
    }
    if (is_gfxinfo(bytes, length)) {
        return dj_likeness_gfxinfo;
    }
    while (length > 0 && strchr(" \t\r\n", *bytes) != NULL && *bytes != '\0') {
        bytes++;
        length--;
    }
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        size_t begin = strlen(kinds[i].begin);
        if (length >= begin && memcmp(bytes, kinds[i].begin, begin) == 0) {
            return kinds[i].says;
        }
    }
    return "";
}

int dj_likeness_refuse(const char *name, const char *likeness, struct dj_error *err)
{
    if (likeness == dj_likeness_gfxinfo) {
        return refuse_gfxinfo(name, err);
    }
    return dj_error_set_at(
        err, DJ_E_INVALID, 0,
        "%s: byte 0: %sexpected a trace: ftrace text, systrace HTML, Chrome's JSON, "
        "trace.dat, ring pages of a CPU, packets of Perfetto, or a recording of dejank "
        "(text, packets and trace.dat also within gzip, zstd, xz, zip, tar)",
        name, likeness);
}
