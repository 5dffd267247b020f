/* Writes the time of functions in janky and smooth frames for other tools. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "memory/memory.h"
#include "output/file.h"
#include "report/triage.h"

static const char FOLDED[] = ".folded", SPEEDSCOPE[] = ".speedscope.json";

/* The stacks of one side. */
struct side {
    const struct dj_calls_tree *calls;
    const char *name; /* Name of the side: "janky" or "smooth". */
    /* For each node, the mean time per frame without callees. Owned by this struct. */
    double *own_ns;
    size_t count;
};

static struct side create_side(const struct dj_triage_result *result, bool janky)
{
    const struct dj_calls_difference *difference = &result->functions->difference;
    const double *ns = janky ? difference->janky_ns : difference->smooth_ns;
    struct side side = {.calls = result->calls,
                        .name = janky ? "janky" : "smooth",
                        .own_ns = dj_xcalloc(difference->node_count, sizeof(double)),
                        .count = difference->node_count};
    for (size_t i = 1; i < side.count; i++) {
        side.own_ns[i] += ns[i];
        side.own_ns[side.calls->nodes[i].parent] -= ns[i];
    }
    return side;
}

/* Returns the functions of a stack, the innermost first, and their number. */
static size_t list_functions(const struct side *side, size_t node,
                             uint32_t functions[DJ_CALLS_DEPTH_MAX])
{
    size_t count = 0;
    for (; node != DJ_CALLS_ROOT && count < DJ_CALLS_DEPTH_MAX;
         node = side->calls->nodes[node].parent) {
        functions[count++] = side->calls->nodes[node].function;
    }
    return count;
}

/* Appends a name without the characters that separate names, values and lines. */
static void append_folded_name(struct dj_text *text, const char *name)
{
    for (; *name != '\0'; name++) {
        bool separates = *name == ';' || (unsigned char)*name < ' ';
        dj_text_append(text, separates ? "_" : name, 1);
    }
}

static void write_folded(struct dj_text *text, const struct side *side)
{
    uint32_t functions[DJ_CALLS_DEPTH_MAX];
    for (size_t i = 1; i < side->count; i++) {
        long long us = llround(side->own_ns[i] / 1e3);
        if (us <= 0) {
            continue;
        }
        for (size_t k = list_functions(side, i, functions); k-- > 0;) {
            append_folded_name(text, side->calls->functions[functions[k]].name);
            dj_text_add(text, k > 0 ? ";" : " ");
        }
        dj_text_format(text, "%lld\n", us);
    }
}

/* Writes NAME.janky.folded or NAME.smooth.folded. */
static int export_folded(const char *path, const struct dj_triage_result *result,
                         bool janky, struct dj_error *err)
{
    struct side side = create_side(result, janky);
    struct dj_text text = {0};
    char *name = dj_xformat("%.*s.%s%s", (int)(strlen(path) - strlen(FOLDED)), path,
                            side.name, FOLDED);
    write_folded(&text, &side);
    int code = dj_output_write_or_save(name, &text, err);
    free(name);
    free(side.own_ns);
    dj_text_finish(&text);
    return code;
}

static void write_frames(struct dj_text *text, const struct dj_calls_tree *calls)
{
    dj_json_open_object(text, "shared");
    dj_json_open_array(text, "frames");
    for (size_t i = 0; i < calls->function_count; i++) {
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "name", calls->functions[i].name);
        if (calls->functions[i].module[0] != '\0') {
            dj_json_add_string(text, "file", calls->functions[i].module);
        }
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]}");
}

static void write_stack(struct dj_text *text, const struct side *side, size_t node)
{
    uint32_t functions[DJ_CALLS_DEPTH_MAX];
    dj_json_open_array(text, NULL);
    for (size_t k = list_functions(side, node, functions); k-- > 0;) {
        dj_json_add_int(text, NULL, functions[k]);
    }
    dj_json_close(text, "]");
}

static void write_profile(struct dj_text *text, const struct side *side)
{
    int64_t sum_ns = 0;
    char name[64];
    snprintf(name, sizeof(name), "mean %s frame", side->name);
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "type", "sampled");
    dj_json_add_string(text, "name", name);
    dj_json_add_string(text, "unit", "nanoseconds");
    dj_json_open_array(text, "samples");
    for (size_t i = 1; i < side->count; i++) {
        if (llround(side->own_ns[i]) > 0) {
            write_stack(text, side, i);
        }
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "weights");
    for (size_t i = 1; i < side->count; i++) {
        if (llround(side->own_ns[i]) > 0) {
            dj_json_add_int(text, NULL, llround(side->own_ns[i]));
            sum_ns += llround(side->own_ns[i]);
        }
    }
    dj_json_close(text, "]");
    dj_json_add_int(text, "startValue", 0);
    dj_json_add_int(text, "endValue", sum_ns);
    dj_json_close(text, "}");
}

static int export_speedscope(const char *path, const struct dj_triage_result *result,
                             struct dj_error *err)
{
    struct dj_text text = {0};
    dj_json_open_object(&text, NULL);
    dj_json_add_string(&text, "$schema",
                       "https://www.speedscope.app/file-format-schema.json");
    dj_json_add_string(&text, "exporter", "dejank");
    write_frames(&text, result->calls);
    dj_json_open_array(&text, "profiles");
    for (int janky = 1; janky >= 0; janky--) {
        struct side side = create_side(result, janky == 1);
        write_profile(&text, &side);
        free(side.own_ns);
    }
    dj_json_close(&text, "]}\n");
    int code = dj_output_write_or_save(path, &text, err);
    dj_text_finish(&text);
    return code;
}

bool dj_report_is_call_export(const char *path)
{
    return dj_output_has_suffix(path, FOLDED) || dj_output_has_suffix(path, SPEEDSCOPE);
}

int dj_report_export_calls(const char *path, const struct dj_triage_result *result,
                           struct dj_error *err)
{
    if (result->functions == NULL || result->functions->difference.node_count == 0) {
        return dj_error_set(err, DJ_E_NO_DATA,
                            "%s was not written: the traces have no call stacks of "
                            "janky frames. hint: 'dejank trace capture --stacks' samples "
                            "them",
                            path);
    }
    if (dj_output_has_suffix(path, SPEEDSCOPE)) {
        return export_speedscope(path, result, err);
    }
    int code = export_folded(path, result, true, err);
    return code == 0 ? export_folded(path, result, false, err) : code;
}
