#include "triage/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The text from one of these strings on is removed from a name, because it differs each
 * time. */
static const char *const cuts[] = {" with owner ", " (owner tid", " owned by tid",
                                   "$$Lambda", " - resynced"};

enum { FAMILY_LONGEST = 31 }; /* Maximum number of bytes of the name of a family. */

static bool is_number(const char *word, size_t length)
{
    bool hex = length > 2 && word[0] == '0' && word[1] == 'x';
    for (size_t i = hex ? 2 : 0; i < length; i++) {
        if (hex ? !isxdigit((unsigned char)word[i]) : !isdigit((unsigned char)word[i])) {
            return false;
        }
    }
    return length > 0;
}

void dj_triage_append_plain_name(struct dj_text *text, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < COUNT_OF(cuts); i++) {
        const char *cut = strstr(name, cuts[i]);
        length = cut != NULL && cut > name && (size_t)(cut - name) < length
                     ? (size_t)(cut - name)
                     : length;
    }
    /* Removes numbers at the end of the name that follow a blank or a separator. */
    for (;;) {
        size_t word = length;
        while (word > 0 && strchr(" #:/=", name[word - 1]) == NULL) {
            word--;
        }
        size_t end = word;
        while (end > 0 && strchr(" #:/=", name[end - 1]) != NULL) {
            end--;
        }
        if (end == 0 || word == end || !is_number(name + word, length - word)) {
            break;
        }
        length = end;
    }
    dj_text_append(text, name, length);
}

struct dj_str dj_triage_get_family(const char *thread)
{
    size_t length = strnlen(thread, FAMILY_LONGEST);
    size_t end = length;
    while (end > 0 && isdigit((unsigned char)thread[end - 1])) {
        end--;
    }
    while (end > 0 && end < length && strchr("-_:#/ ", thread[end - 1]) != NULL) {
        end--;
    }
    return (struct dj_str){thread, end > 0 ? end : length};
}

struct dj_str dj_triage_get_pool(const char *thread)
{
    const char *end = strrchr(thread, '_');
    bool is =
        (strncmp(thread, "Binder", 6) == 0 || strncmp(thread, "HwBinder", 8) == 0) &&
        end != NULL && end - thread <= FAMILY_LONGEST;
    return (struct dj_str){thread, is ? (size_t)(end - thread) : 0};
}

struct word {
    const char *text; /* Text that may occur anywhere in a name. */
    enum dj_cause_kind kind;
};

static enum dj_cause_kind find_kind(const struct word *words, size_t count,
                                    const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcasestr(name, words[i].text) != NULL) {
            return words[i].kind;
        }
    }
    return DJ_CAUSE_UNEXPLAINED;
}

/* Texts in the names that Android's runtime and renderers give to waits. */
static const struct word waits[] = {
    {"GC: Wait", DJ_CAUSE_GC},
    {"WaitForGcToComplete", DJ_CAUSE_GC},
    {"SuspendThreadBy", DJ_CAUSE_GC},
    {"SuspendAll", DJ_CAUSE_GC},
    {"concurrent copying", DJ_CAUSE_GC},
    {"monitor contention", DJ_CAUSE_LOCK},
    {"Lock contention", DJ_CAUSE_LOCK},
    {"Contending for", DJ_CAUSE_LOCK},
    {"waiting for GPU", DJ_CAUSE_GPU},
    {"GPU completion", DJ_CAUSE_GPU},
    {"Waiting for fence", DJ_CAUSE_GPU},
    {"wait for fence", DJ_CAUSE_GPU},
    {"fence_wait", DJ_CAUSE_GPU},
    {"sync_wait", DJ_CAUSE_GPU},
    {"HWC release", DJ_CAUSE_DISPLAY},
    {"waitForever", DJ_CAUSE_GPU},
    {"vkWaitForFences", DJ_CAUSE_GPU},
    {"eglClientWaitSync", DJ_CAUSE_GPU},
    {"glFinish", DJ_CAUSE_GPU},
    {"dequeueBuffer", DJ_CAUSE_GPU},
    {"waiting for presentFence", DJ_CAUSE_DISPLAY},
    {"wait for vsync", DJ_CAUSE_DISPLAY},
    {"binder transaction", DJ_CAUSE_IPC},
};

/* Common words in the names of sections that contain a wait. */
static const struct word weak_waits[] = {
    {"lock", DJ_CAUSE_LOCK},       {"mutex", DJ_CAUSE_LOCK},
    {"contention", DJ_CAUSE_LOCK}, {"futex", DJ_CAUSE_LOCK},
    {"fsync", DJ_CAUSE_IO},        {"fdatasync", DJ_CAUSE_IO},
    {"nanosleep", DJ_CAUSE_SLEEP}, {"dbus", DJ_CAUSE_IPC},
    {"d-bus", DJ_CAUSE_IPC},
};

static const struct word works[] = {
    {"concurrent copying GC", DJ_CAUSE_GC}, {"mark sweep GC", DJ_CAUSE_GC},
    {"semispace GC", DJ_CAUSE_GC},          {"GC: ", DJ_CAUSE_GC},
    {"young concurrent", DJ_CAUSE_GC},      {"Alloc GC", DJ_CAUSE_GC},
    {"Explicit GC", DJ_CAUSE_GC},
};

enum dj_cause_kind dj_triage_get_wait_kind(const char *slice)
{
    return find_kind(waits, COUNT_OF(waits), slice);
}

enum dj_cause_kind dj_triage_get_weak_wait_kind(const char *slice)
{
    enum dj_cause_kind kind = find_kind(weak_waits, COUNT_OF(weak_waits), slice);
    /* In "block" and "clock", the letters "lock" do not mean a lock. */
    const char *lock = strcasestr(slice, "lock");
    bool within = lock != NULL && lock > slice && isalpha((unsigned char)lock[-1]) &&
                  strncasecmp(lock - 1, "c", 1) != 0;
    bool clock = strcasestr(slice, "clock") != NULL || strcasestr(slice, "block") != NULL;
    return kind == DJ_CAUSE_LOCK && lock != NULL && (within || clock)
               ? DJ_CAUSE_UNEXPLAINED
               : kind;
}

enum dj_cause_kind dj_triage_get_work_kind(const char *slice)
{
    return find_kind(works, COUNT_OF(works), slice);
}

bool dj_triage_is_fence_wait(const char *slice)
{
    static const char *const words[] = {"GPU completion", "HWC release", "presentFence",
                                        "for fence",      "fence_wait",  "sync_wait"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strcasestr(slice, words[i]) != NULL) {
            return dj_triage_get_wait_kind(slice) != DJ_CAUSE_UNEXPLAINED;
        }
    }
    return false;
}

/* Texts in the names of drivers and timelines. The first one that matches decides. The
 * texts for displays come first, because the timelines of a driver for both GPU and
 * display have the display's name if they belong to the display. */
static const struct word fences[] = {
    {"crtc", DJ_CAUSE_DISPLAY},    {"retire", DJ_CAUSE_DISPLAY},
    {"release", DJ_CAUSE_DISPLAY}, {"present", DJ_CAUSE_DISPLAY},
    {"display", DJ_CAUSE_DISPLAY}, {"vblank", DJ_CAUSE_DISPLAY},
    {"vsync", DJ_CAUSE_DISPLAY},   {"decon", DJ_CAUSE_DISPLAY},
    {"dpu", DJ_CAUSE_DISPLAY},     {"sde", DJ_CAUSE_DISPLAY},
    {"mdss", DJ_CAUSE_DISPLAY},    {"hwc", DJ_CAUSE_DISPLAY},
    {"gpu", DJ_CAUSE_GPU},         {"kgsl", DJ_CAUSE_GPU},
    {"mali", DJ_CAUSE_GPU},        {"panfrost", DJ_CAUSE_GPU},
    {"panthor", DJ_CAUSE_GPU},     {"lima", DJ_CAUSE_GPU},
    {"adreno", DJ_CAUSE_GPU},      {"msm", DJ_CAUSE_GPU},
    {"amdgpu", DJ_CAUSE_GPU},      {"radeon", DJ_CAUSE_GPU},
    {"i915", DJ_CAUSE_GPU},        {"nouveau", DJ_CAUSE_GPU},
    {"nvidia", DJ_CAUSE_GPU},      {"v3d", DJ_CAUSE_GPU},
    {"vc4", DJ_CAUSE_GPU},         {"etnaviv", DJ_CAUSE_GPU},
    {"pvr", DJ_CAUSE_GPU},         {"xe/", DJ_CAUSE_GPU},
    {"drm_sched", DJ_CAUSE_GPU},   {"gfx", DJ_CAUSE_GPU},
    {"rcs", DJ_CAUSE_GPU},         {"render", DJ_CAUSE_GPU},
};

enum dj_cause_kind dj_triage_get_fence_kind(const char *fence)
{
    return find_kind(fences, COUNT_OF(fences), fence);
}

bool dj_triage_is_buffer_wait(const char *slice)
{
    return strcasestr(slice, "dequeueBuffer") != NULL;
}

/* Examples: "… with owner RenderThread (1234) at …", "Lock contention on X (owner tid:
 * 1234)" and "Contending for pthread mutex owned by tid: 1234". */
uint32_t dj_triage_parse_owner(const char *slice)
{
    const char *owner = strstr(slice, "owner");
    const char *owned = owner == NULL ? strstr(slice, "owned by") : NULL;
    owner = owned != NULL ? owned : owner;
    const char *open = owner == NULL ? NULL : strstr(owner, "tid: ");
    open = open != NULL ? open + 5 : owner == NULL ? NULL : strchr(owner, '(');
    if (open == NULL) {
        return 0;
    }
    open += *open == '(';
    char *end;
    unsigned long tid = strtoul(open, &end, 10);
    bool whole = *end == ')' || (owned != NULL && *end == '\0');
    return end != open && whole && tid <= UINT32_MAX ? (uint32_t)tid : 0;
}
