/* Instances in a folder that looks like tracefs: ours are removed, others are not. */
#include "capture/linux/instance.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "segment/directory.h"

static char folder[] = "/tmp/dejank-instances-XXXXXX";
static int root;

static void begin(void)
{
    cr_assert(mkdtemp(folder) != NULL);
    root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cr_assert(root >= 0 && mkdirat(root, "instances", 0700) == 0);
}

static void end(void)
{
    char path[128];
    static const char *const left[] = {"instances/other", "instances/dejank-x-1-0"};
    for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
        unlinkat(root, left[i], AT_REMOVEDIR);
    }
    unlinkat(root, "instances", AT_REMOVEDIR);
    close(root);
    snprintf(path, sizeof(path), "%s", folder);
    cr_expect(rmdir(path) == 0, "nothing is left in %s", path);
}

TestSuite(instance, .init = begin, .fini = end);

static void make(const char *name)
{
    char path[128];
    snprintf(path, sizeof(path), "instances/%s", name);
    cr_assert(mkdirat(root, path, 0700) == 0, "%s", path);
}

static bool is_there(const char *name)
{
    char path[128];
    snprintf(path, sizeof(path), "instances/%s", name);
    return faccessat(root, path, F_OK, 0) == 0;
}

/* "dejank-PID-START-N" of a process in our pid namespace. */
static const char *of_here(const char *name)
{
    static char names[4][DJ_INSTANCE_NAME];
    static unsigned next;
    char ours[DJ_INSTANCE_NAME], *suffix = ours;
    dj_instance_name(ours, 0);
    for (int i = 0; i < 4 && suffix != NULL; i++) {
        suffix = strchr(suffix + 1, '-');
    }
    char *made = names[next++ % 4];
    snprintf(made, DJ_INSTANCE_NAME, "%.40s%.20s", name, suffix != NULL ? suffix : "");
    return made;
}

Test(instance, of_dead_processes_are_removed)
{
    char own[DJ_INSTANCE_NAME], stuck[DJ_INSTANCE_NAME];
    /* A pid that started at another time; a pid that does not exist. */
    const char *reused = of_here("dejank-1-99999999999-0");
    const char *gone = of_here("dejank-999999999-77-3");
    dj_instance_name(own, 0);
    make(own);
    make(reused);
    make(gone);
    make("other");
    make("dejank-x-1-0");
    cr_expect_eq(dj_instance_remove_dead(root, false, stuck), 2);
    cr_expect_eq(dj_instance_remove_dead(root, true, stuck), 2);
    cr_expect_str_eq(stuck, "");
    cr_expect(is_there(own) && is_there("other") && is_there("dejank-x-1-0"));
    cr_expect(!is_there(reused) && !is_there(gone));
    cr_expect_eq(dj_instance_remove_dead(root, false, stuck), 0);
    unlinkat(root, own, AT_REMOVEDIR);
    char path[128];
    snprintf(path, sizeof(path), "instances/%s", own);
    unlinkat(root, path, AT_REMOVEDIR);
}

Test(instance, that_is_in_use_is_named)
{
    char stuck[DJ_INSTANCE_NAME], folders[2][128];
    const char *busy = of_here("dejank-999999999-77-3");
    snprintf(folders[0], sizeof(folders[0]), "%s/per_cpu", busy);
    make(busy);
    make(folders[0]); /* a folder that cannot be removed */
    cr_expect_eq(dj_instance_remove_dead(root, true, stuck), 0);
    cr_expect_str_eq(stuck, busy);
    snprintf(folders[0], sizeof(folders[0]), "instances/%s/per_cpu", busy);
    snprintf(folders[1], sizeof(folders[1]), "instances/%s", busy);
    unlinkat(root, folders[0], AT_REMOVEDIR);
    unlinkat(root, folders[1], AT_REMOVEDIR);
}

/* A namespace without processes: only the machine's own namespace can tell. */
Test(instance, of_other_namespaces_are_judged_by_the_initial_one)
{
    char own[DJ_INSTANCE_NAME];
    dj_instance_name(own, 0);
    size_t dashes = 0;
    for (const char *at = own; *at != '\0'; at++) {
        dashes += *at == '-';
    }
    cr_expect_eq(dj_instance_is_dead("dejank-999999999-77-3-7"), dashes == 3);
    cr_expect_not(dj_instance_is_dead(own));
    cr_expect_not(dj_instance_is_dead("dejank-999999999-77-3-7-1"));
    cr_expect_not(dj_instance_is_dead("dejank-999999999-77-3-"));
}

/* No file of an instance exists: the missing one is named, and the instance is
 * removed. */
Test(instance, that_cannot_be_set_up_leaves_nothing)
{
    const struct dj_capture_plan plan = {.output = "x"};
    struct dj_capture_result result = {.source = NULL};
    struct dj_instance instance;
    struct dj_error err = {0};
    cr_assert(dj_instance_create(&instance, dup(root), &err) == 0, "%s", err.message);
    cr_expect(is_there(instance.name));
    char name[DJ_INSTANCE_NAME];
    snprintf(name, sizeof(name), "%s", instance.name);
    cr_expect_eq(dj_instance_set_up(&instance, &plan, &result, &err), DJ_E_NOT_FOUND);
    cr_expect(strstr(err.message, "tracing_on") != NULL, "%s", err.message);
    cr_expect_eq(dj_instance_remove(&instance, &err), 0);
    cr_expect(!is_there(name));
}

Test(instance, needs_a_folder_for_them)
{
    struct dj_instance instance;
    struct dj_error err = {0};
    unlinkat(root, "instances", AT_REMOVEDIR);
    cr_expect_eq(dj_instance_create(&instance, dup(root), &err), DJ_E_UNSUPPORTED);
    cr_expect(strstr(err.message, "no instances") != NULL, "%s", err.message);
    cr_expect_eq(dj_instance_remove(&instance, &err), 0);
    cr_assert(mkdirat(root, "instances", 0700) == 0);
}

Test(instance, names_an_unknown_category)
{
    const char *const words[] = {"sched", "gfx"};
    const struct dj_capture_plan plan = {.categories = words, .category_count = 2};
    struct dj_error err = {0};
    cr_expect_eq(dj_capture_check_categories(&plan, &err), DJ_E_USAGE);
    cr_expect(strstr(err.message, "'gfx'") != NULL && strstr(err.message, "idle") != NULL,
              "%s", err.message);
}

/* Switches are always enabled, other events only if requested. */
Test(instance, enables_the_requested_events)
{
    const char *const words[] = {"disk"};
    const struct dj_capture_plan plan = {.categories = words, .category_count = 1};
    size_t switches = 0, disks = 0, others = 0;
    for (const struct dj_kernel_event *event = dj_kernel_events_find_next(&plan, NULL);
         event != NULL; event = dj_kernel_events_find_next(&plan, event)) {
        switches += strcmp(event->name, "sched_switch") == 0;
        disks += strcmp(event->category, "disk") == 0;
        others +=
            strcmp(event->category, "disk") != 0 && strcmp(event->category, "sched") != 0;
    }
    cr_expect(switches == 1 && disks == 2 && others == 0);
}
