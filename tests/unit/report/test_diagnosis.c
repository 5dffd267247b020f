#include <criterion/criterion.h>
#include <stdio.h>

#include "report/diagnosis.h"
#include "support.h"

static struct dj_diagnosis diagnosis;

/* A machine on which each check passed. */
static void setup(void)
{
    static const char *const names[DJ_CHECKS] = {
        "recorder", "recordings", "adb", "libraries", "settings", "capture", "stacks"};
    static const char *const sources[DJ_SOURCES] = {"GLX",   "EGL",     "Vulkan",
                                                    "GTK 3", "GTK 4",   "Qt Quick",
                                                    "SDL 2", "Wayland", "libdejank"};
    for (size_t i = 0; i < DJ_CHECKS; i++) {
        diagnosis.check[i] =
            (struct dj_check){.name = names[i], .fine = true, .found = "x"};
    }
    for (size_t i = 0; i < DJ_SOURCES; i++) {
        diagnosis.source[i] =
            (struct dj_recorder_source){.name = sources[i], .gives = "completion"};
    }
}

static void fail_check(size_t index, const char *remedy)
{
    diagnosis.check[index].fine = false;
    diagnosis.check[index].remedy = remedy;
}

/* Asks about /usr/bin/app. */
static void set_program(void)
{
    diagnosis.command = "app";
    snprintf(diagnosis.path, sizeof(diagnosis.path), "/usr/bin/app");
}

static void expect_diagnosis(const char *expected)
{
    struct dj_document document = {0};
    dj_report_build_diagnosis(&document, &diagnosis);
    expect_document(&document, 80, expected);
}

/* Compares the verdict, and the command at the end. */
static void expect_ends(const char *verdict, const char *command)
{
    struct dj_document document = {0};
    dj_report_build_diagnosis(&document, &diagnosis);
    const struct dj_block *last = &document.blocks[document.block_count - 1];
    cr_expect_str_eq(document.blocks[0].text, verdict);
    if (command != NULL) {
        cr_expect_eq(last->kind, DJ_BLOCK_COMMAND);
        cr_expect_str_eq(last->text, command);
    } else {
        cr_expect_neq(last->kind, DJ_BLOCK_COMMAND);
    }
    dj_document_finish(&document);
}

TestSuite(diagnosis, .init = setup);

Test(diagnosis, a_machine_that_works)
{
    expect_diagnosis("Recording works on this machine\n\n"
                     "check       state  found\n"
                     "recorder    ok     x\n"
                     "recordings  ok     x\n"
                     "adb         ok     x\n"
                     "libraries   ok     x\n"
                     "settings    ok     x\n"
                     "capture     ok     x\n"
                     "stacks      ok     x\n\n"
                     "next:\n"
                     "  dejank doctor -- PROGRAM  check whether dejank can "
                     "record a program\n");
    cr_expect(dj_report_can_record(&diagnosis));
}

Test(diagnosis, a_check_that_recording_needs)
{
    fail_check(1, "DEJANK_DIR=/some/folder dejank");
    expect_ends("Recording does not work on this machine (failed: recordings)",
                "dejank doctor -- PROGRAM");
    cr_expect_not(dj_report_can_record(&diagnosis));
}

Test(diagnosis, a_check_that_recording_does_not_need)
{
    fail_check(2, "apt-get install adb");
    fail_check(5, NULL);
    expect_ends("Recording works on this machine; other features do not (failed: adb, "
                "capture)",
                "dejank doctor -- PROGRAM");
    cr_expect(dj_report_can_record(&diagnosis));
}

Test(diagnosis, a_program_with_two_sources)
{
    set_program();
    diagnosis.source[0].reach = DJ_REACH_LINKED;
    diagnosis.source[6].reach = DJ_REACH_MAY_LOAD;
    expect_ends("dejank can record app: GLX, SDL 2", "dejank record -- app");
}

Test(diagnosis, a_program_without_a_source)
{
    set_program();
    expect_ends("app names no library that dejank can record", NULL);
}

Test(diagnosis, a_program_with_an_obstacle)
{
    set_program();
    diagnosis.obstacle = "it is statically linked";
    expect_ends("app cannot be recorded: it is statically linked", NULL);
    cr_expect_not(dj_report_can_record(&diagnosis));
}

Test(diagnosis, a_script_names_its_interpreter)
{
    set_program();
    diagnosis.source[1].reach = DJ_REACH_MAY_LOAD;
    snprintf(diagnosis.interpreter, sizeof(diagnosis.interpreter), "/usr/bin/python3");
    expect_ends("dejank can record app: EGL", "dejank doctor -- /usr/bin/python3");
}
