/* A library that is linked to libdejank. It is loaded by a program that is not. */
#include <dejank/sections.h>

__attribute__((visibility("default"))) void used(void);

void used(void)
{
    dejank_section_begin("plugin");
    dejank_section_end();
}
