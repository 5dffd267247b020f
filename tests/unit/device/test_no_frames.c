#include <criterion/criterion.h>
#include <string.h>

#include "device/no_frames.h"

static void expect(const char *name, const char *libraries, const char *cause,
                   const char *remedy)
{
    struct dj_no_frames_cause found = dj_device_choose_no_frames_cause(name, libraries);
    cr_expect_not_null(strstr(found.cause, cause), "%s: %s", name, found.cause);
    cr_expect_not_null(strstr(found.remedy, remedy), "%s: %s", name, found.remedy);
}

Test(no_frames, launchers_hide_the_program)
{
    expect("bwrap", "", "sandbox", "options that were printed");
    expect("docker", "", "container", "options that were printed");
    expect("snap", "", "sandbox", "without snap");
    expect("firejail", "", "sandbox", "without firejail");
    expect("sudo", "", "another user", "as that user");
    expect("pkexec", "", "another user", "as that user");
}

Test(no_frames, launcher_counts_more_than_its_libraries)
{
    expect("flatpak", "\tlibX11.so.6 => /lib/libX11.so.6 (0x1)\n", "sandbox", "options");
}

Test(no_frames, libraries_show_how_the_program_draws)
{
    expect("editor", "\tlibQt5Widgets.so.5 => /lib/libQt5Widgets.so.5 (0x1)\n",
           "Qt Widgets", "dejank/frames.h");
    expect("xclock", "\tlibX11.so.6 => /lib/libX11.so.6 (0x1)\n", "no image to the X",
           "dejank/frames.h");
    expect("term", "\tlibwayland-client.so.0 => /lib/x (0x1)\n", "draws in software",
           "dejank/frames.h");
    expect("gears", "\tlibGL.so.1 => /lib/libGL.so.1 (0x1)\n", "swapped no buffers",
           "until it draws");
    expect("cube", "\tlibvulkan.so.1 => /lib/x (0x1)\n", "presented no image",
           "until it draws");
}

Test(no_frames, toolkit_counts_more_than_what_it_links)
{
    expect("editor",
           "\tlibGL.so.1 => /lib/x (0x1)\n\tlibX11.so.6 => /lib/x (0x1)\n"
           "\tlibQt6Widgets.so.6 => /lib/x (0x1)\n",
           "Qt Widgets", "dejank/frames.h");
    expect("viewer",
           "\tlibQt6Widgets.so.6 => /lib/x (0x1)\n\tlibQt6Quick.so.6 => /lib/x (0x1)\n",
           "Qt Quick", "window is shown");
    expect("player", "\tlibX11.so.6 => /x (0x1)\n\tlibgtk-3.so.0 => /x (0x1)\n", "GTK",
           "window is shown");
}

Test(no_frames, unknown_program_gets_a_general_cause)
{
    expect("sh", "", "child processes", "dejank doctor -- CMD");
    expect("tool", "\tlibc.so.6 => /lib/libc.so.6 (0x1)\n", "child processes",
           "dejank/frames.h");
}

Test(no_frames, libraries_of_a_program_are_listed)
{
    struct dj_no_frames_cause found = dj_device_find_no_frames_cause("/bin/sh");
    cr_expect_not_null(strstr(found.cause, "child processes"), "%s", found.cause);
    found = dj_device_find_no_frames_cause("/nowhere/sudo");
    cr_expect_not_null(strstr(found.cause, "another user"), "%s", found.cause);
}
