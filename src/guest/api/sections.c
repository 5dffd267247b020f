#include "recorder/sections.h"

#include <dejank/sections.h>

#include "api/api.h"

_Static_assert((int)DEJANK_SECTION_BEGIN == (int)DJ_SECTION_BEGIN &&
                   (int)DEJANK_SECTION_END == (int)DJ_SECTION_END &&
                   (int)DEJANK_SECTION_ASYNC_BEGIN == (int)DJ_SECTION_ASYNC_BEGIN &&
                   (int)DEJANK_SECTION_ASYNC_END == (int)DJ_SECTION_ASYNC_END &&
                   (int)DEJANK_COUNTER == (int)DJ_SECTION_COUNTER &&
                   (int)DEJANK_NAME_MOST == (int)DJ_SECTIONS_NAME,
               "dejank/sections.h must use the numbers of segment/sections_layout.h");

/* 0 until the settings are read. Constructors that run earlier record no sections. */
int dejank_sections_on;

void dejank_section_write(enum dejank_section_kind kind, const char *name, size_t length,
                          int64_t value)
{
    dj_recorder_write_section((enum dj_section_kind)kind, name, length, value);
}

/* The same function under a hidden name, which no other object can replace. */
extern __typeof__(dejank_section_write) dj_api_own_section_write
    __attribute__((alias("dejank_section_write"), visibility("hidden")));

/* Returns true if the symbol dejank_section_write resolves to this object. The pointer
 * is volatile, because a compiler may otherwise assume that no other object replaces
 * the function, and evaluate the comparison itself. */
bool dj_api_is_reached(void)
{
    __typeof__(dejank_section_write) *volatile reached = dejank_section_write;
    return reached == dj_api_own_section_write;
}

void dejank_sections_enable(bool on)
{
    __atomic_store_n(&dejank_sections_on, on, __ATOMIC_RELAXED);
}

void dj_api_load(void)
{
    if (dj_recorder_wants_sections()) {
        dejank_sections_enable(true);
    }
}
