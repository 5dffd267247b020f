#include "capture/android/atrace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

enum { LATEST = 1 << 30 };

/* The categories that are requested if the plan names none. `from` and `to` are the first
 * and last API level at which atrace has the category. */
static const struct {
    const char *name;
    int from, to;
} default_categories[] = {
    {"sched", 16, LATEST},
    {"freq", 16, LATEST},
    {"idle", 16, LATEST},
    {"gfx", 16, LATEST},
    {"input", 16, LATEST},
    {"view", 16, LATEST},
    {"wm", 16, LATEST},
    {"am", 16, LATEST},
    {"dalvik", 18, LATEST},
    {"res", 18, LATEST},
    {"hal", 18, LATEST},
    {"sync", 16, LATEST},
    {"disk", 16, LATEST},
    {"workq", 16, LATEST},
    {"memreclaim", 21, LATEST},
    {"binder_driver", 24, LATEST},
    {"aidl", 28, LATEST},
    {"thermal", 31, LATEST},
    {"rs", 23, 30},
};

/* Returns true if the output of `atrace --list_categories` contains the category. A line
 * of this output is " gfx - Graphics". */
static bool is_listed(const char *list, size_t length, const char *name)
{
    struct dj_str rest = {list, length}, line;
    while (dj_str_next_line(&rest, &line)) {
        if (dj_str_is(dj_str_until(line, " \t"), name)) {
            return true;
        }
    }
    return false;
}

static bool is_chosen(const struct dj_atrace_categories *chosen, const char *name)
{
    for (size_t i = 0; i < chosen->count; i++) {
        if (strcmp(chosen->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void add_category(int api, const char *list, size_t list_length, const char *name,
                         struct dj_atrace_categories *chosen)
{
    bool is_harmful = api < 23 && strcmp(name, "rs") == 0;
    if (is_harmful || is_chosen(chosen, name)) {
        return;
    }
    if (chosen->count == DJ_ATRACE_CATEGORIES || strlen(name) >= DJ_ATRACE_NAME ||
        /* atrace would read this name as an option. */
        name[0] == '-' || name[0] == '\0' ||
        (list_length > 0 && !is_listed(list, list_length, name))) {
        dj_text_add(&chosen->missing, chosen->missing.length > 0 ? ", " : "");
        dj_text_append_escaped_name(&chosen->missing, name);
        return;
    }
    snprintf(chosen->names[chosen->count++], DJ_ATRACE_NAME, "%s", name);
    chosen->sched = chosen->sched || strcmp(name, "sched") == 0;
}

void dj_atrace_choose(int api, const char *list, size_t list_length,
                      const char *const *wanted, size_t wanted_count,
                      struct dj_atrace_categories *chosen)
{
    for (size_t i = 0; i < wanted_count; i++) {
        add_category(api, list, list_length, wanted[i], chosen);
    }
    for (size_t i = 0; wanted_count == 0 && i < COUNT_OF(default_categories); i++) {
        if (api >= default_categories[i].from && api <= default_categories[i].to) {
            add_category(api, list, list_length, default_categories[i].name, chosen);
        }
    }
}

bool dj_atrace_stop_clears(int api)
{
    return api < 23;
}

void dj_atrace_start_command(const struct dj_atrace_categories *chosen, const char *app,
                             int64_t ring_kb, char number[24],
                             const char *words[DJ_ATRACE_WORDS])
{
    size_t count = 0;
    snprintf(number, 24, "%" PRId64, ring_kb);
    words[count++] = "atrace";
    words[count++] = "--async_start";
    words[count++] = "-c";
    words[count++] = "-b";
    words[count++] = number;
    if (app != NULL) {
        words[count++] = "-a";
        words[count++] = app;
    }
    for (size_t i = 0; i < chosen->count; i++) {
        words[count++] = chosen->names[i];
    }
    words[count] = NULL;
}

void dj_atrace_print_command(int api, const char *words[DJ_ATRACE_WORDS])
{
    size_t count = 0;
    words[count++] = "atrace";
    words[count++] = dj_atrace_stop_clears(api) ? "--async_dump" : "--async_stop";
    /* From API level 21 on, adb can run a command without a terminal ("exec:"), so the
     * output may be compressed. */
    if (api >= 21) {
        words[count++] = "-z";
    }
    words[count] = NULL;
}
