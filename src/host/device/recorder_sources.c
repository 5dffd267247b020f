#include "device/recorder_sources.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "process/process.h"

static const int64_t LOADER_NS = 10 * DJ_SECOND_NS;

/* The sources and the beginnings of the file names of their libraries. The full file
 * names end with a version. */
static const struct {
    const char *name, *gives;
    const char *library[2];
    const char *loads[2]; /* Names of libraries that load this source as a plug-in. */
} table[DJ_SOURCES] = {
    {"GLX", "hand-over, wait, completion", {"libGLX.so", "libGL.so"}, {NULL}},
    {"EGL", "hand-over, wait, completion", {"libEGL.so"}, {NULL}},
    {"Vulkan",
     "hand-over, wait, completion, GPU time where it is plausible",
     {"libvulkan.so"},
     {NULL}},
    {"GTK 3",
     "input, animation, layout and paint; vsync and interval",
     {"libgtk-3.so", "libgdk-3.so"},
     {NULL}},
    {"GTK 4",
     "input, animation, layout and paint; vsync and interval",
     {"libgtk-4.so"},
     {NULL}},
    {"Qt Quick",
     "animation, sync and render stages",
     {"libQt6Quick.so", "libQt5Quick.so"},
     {"libQt6Qml.so", "libQt5Qml.so"}},
    {"SDL 2", "input stage", {"libSDL2-2.0.so"}, {NULL}},
    {"Wayland",
     "display interval and presentation time",
     {"libwayland-client.so"},
     {NULL}},
    {"libdejank", "the times that the app itself records", {"libdejank.so"}, {NULL}},
};

const char *dj_device_recorder_sources_reach_name(enum dj_reach reach)
{
    static const char *const names[] = {
        [DJ_REACH_ABSENT] = "not seen",
        [DJ_REACH_MAY_LOAD] = "may load",
        [DJ_REACH_LINKED] = "linked",
    };
    return names[reach];
}

static void set_reach(struct dj_recorder_source *source, enum dj_reach reach,
                      struct dj_str library)
{
    if (reach > source->reach) {
        source->reach = reach;
        snprintf(source->library, sizeof(source->library), "%.*s", (int)library.length,
                 library.at);
    }
}

/* Returns whether `name` begins with one of the two names. The second one may be NULL. */
static bool has_prefix(struct dj_str name, const char *const libraries[2])
{
    return dj_str_begins(name, libraries[0]) ||
           (libraries[1] != NULL && dj_str_begins(name, libraries[1]));
}

/* Reads a line that the dynamic loader printed: "\tlibGL.so.1 => /usr/lib/…/libGL.so.1
 * (0x…)". */
static void read_loader_line(struct dj_recorder_source *sources, struct dj_str line)
{
    struct dj_str name = dj_str_until(line, " \t");
    for (size_t i = 0; i < DJ_SOURCES; i++) {
        if (has_prefix(name, table[i].library)) {
            set_reach(&sources[i], DJ_REACH_LINKED, name);
        }
        if (table[i].loads[0] != NULL && has_prefix(name, table[i].loads)) {
            set_reach(&sources[i], DJ_REACH_MAY_LOAD, name);
        }
    }
}

/* Searches the bytes of a file for names of libraries, because the program may pass such
 * names to dlopen(). */
static void search_file(struct dj_recorder_source *sources, const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    void *bytes = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0
                      ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                      : MAP_FAILED;
    close(fd);
    if (bytes == MAP_FAILED) {
        return;
    }
    for (size_t i = 0; i < DJ_SOURCES; i++) {
        for (size_t k = 0; k < 2 && table[i].library[k] != NULL; k++) {
            const char *library = table[i].library[k];
            if (sources[i].reach == DJ_REACH_ABSENT &&
                memmem(bytes, (size_t)status.st_size, library, strlen(library)) != NULL) {
                set_reach(&sources[i], DJ_REACH_MAY_LOAD, dj_str_of(library));
            }
        }
    }
    munmap(bytes, (size_t)status.st_size);
}

/* Searches the file at PATH, if the line has the form "… => PATH (0x…)". */
static void search_library(struct dj_recorder_source *sources, struct dj_str line)
{
    char path[PATH_MAX];
    struct dj_str rest;
    if (dj_str_after(line, "=> /", &rest)) {
        struct dj_str name = dj_str_until(rest, " ");
        snprintf(path, sizeof(path), "/%.*s", (int)name.length, name.at);
        search_file(sources, path);
    }
}

/* Returns the path of the standard dynamic loader of this architecture. The loader
 * that the inspected program names is not used, because that program may not be
 * trustworthy. */
static const char *find_loader(void)
{
#if defined(__x86_64__)
    return "/lib64/ld-linux-x86-64.so.2";
#else
    return "/lib/ld-linux-aarch64.so.1";
#endif
}

void dj_device_list_libraries(const char *path, struct dj_text *list)
{
    const char *const argv[] = {find_loader(), "--list", path, NULL};
    const struct dj_deadline deadline = dj_deadline_in(LOADER_NS, NULL);
    struct dj_text errors = {0};
    const struct dj_process_run run = {argv, &deadline, list, &errors};
    int exit_code;
    if (dj_process_run(&run, &exit_code, NULL) != 0) {
        dj_text_clear(list);
    }
    dj_text_finish(&errors);
}

static void read_libraries(struct dj_recorder_source *sources, const char *path)
{
    struct dj_text out = {0};
    dj_device_list_libraries(path, &out);
    const struct dj_str list = {dj_text_get(&out), out.length};
    struct dj_str line;
    for (struct dj_str rest = list; dj_str_next_line(&rest, &line);) {
        read_loader_line(sources, line);
    }
    for (struct dj_str rest = list; dj_str_next_line(&rest, &line);) {
        search_library(sources, line);
    }
    dj_text_finish(&out);
}

/* Returns whether the file is a script, and writes its interpreter: "python3" for
 * "#!/usr/bin/env python3", "/bin/sh" for "#!/bin/sh". */
static bool is_script(const char *path, char interpreter[PATH_MAX])
{
    char line[256] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, line, sizeof(line) - 1) : -1;
    if (fd >= 0) {
        close(fd);
    }
    if (length < 3 || line[0] != '#' || line[1] != '!') {
        return false;
    }
    line[strcspn(line, "\n")] = '\0';
    char *at = line + 2 + strspn(line + 2, " \t");
    size_t word = strcspn(at, " \t");
    const char *rest = at + word + strspn(at + word, " \t");
    bool env = word > 4 && strncmp(at + word - 4, "/env", 4) == 0 && *rest != '\0';
    snprintf(interpreter, PATH_MAX, "%.*s", (int)(env ? strcspn(rest, " \t") : word),
             env ? rest : at);
    return true;
}

int dj_device_recorder_sources_find(const char *path,
                                    struct dj_recorder_source sources[DJ_SOURCES],
                                    char interpreter[PATH_MAX], struct dj_error *err)
{
    interpreter[0] = '\0';
    for (size_t i = 0; i < DJ_SOURCES; i++) {
        sources[i] =
            (struct dj_recorder_source){.name = table[i].name, .gives = table[i].gives};
    }
    if (access(path, R_OK) != 0) {
        return dj_error_set(err, DJ_E_IO, "cannot read %s: %s", path, strerror(errno));
    }
    search_file(sources, path);
    if (!is_script(path, interpreter)) {
        read_libraries(sources, path);
    }
    return 0;
}
