/* A library that links libdejank itself, for a program that does not know of it. */
#include <dejank/sections.h>

__attribute__((visibility("default"))) void used(void);

void used(void)
{
    dejank_section_begin("plugin");
    dejank_section_end();
}
