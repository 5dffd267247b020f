/*
 * dejank/sections.h: named sections that show what a program does and when.
 * `dejank trace read` shows them next to the program's frames.
 *
 *     dejank_section_begin("layout");
 *     ...
 *     dejank_section_end();
 *
 * Link with -ldejank (pkg-config dejank). C and C++; C++ also has dejank::Section. The
 * functions resemble Android's ATrace.
 *
 * Any thread may call these functions at any time, also in signal handlers. They never
 * fail, block, allocate, print or change errno. The first section of a process creates
 * its file, and the first section of a thread acquires a ring in it (file I/O once for
 * each). After that an event costs a clock read and a few stores. Each thread keeps its
 * newest events. The reader reports how many events were overwritten or not recorded.
 * Sections of a fork()ed child, and of a program that replaces this one by exec(), are in
 * separate files.
 *
 * Sections are recorded unless the environment variable DEJANK_SECTIONS is "off" or
 * dejank_sections_enable(false) was called.
 */
#ifndef DEJANK_SECTIONS_H
#define DEJANK_SECTIONS_H

#ifndef __cplusplus
#include <stdbool.h>
#endif
#include <stdint.h>
#include <string.h>

#ifndef DEJANK_API
#define DEJANK_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Names are copied: at most 127 bytes, UTF-8 by convention. Longer names are
 * truncated. */
enum { DEJANK_NAME_MOST = 127 };

/* The kinds that dejank_section_write() accepts. Use the functions below to call it. */
enum dejank_section_kind {
    DEJANK_SECTION_BEGIN = 1,
    DEJANK_SECTION_END = 2,
    DEJANK_SECTION_ASYNC_BEGIN = 3,
    DEJANK_SECTION_ASYNC_END = 4,
    DEJANK_COUNTER = 5
};

/* 1 while sections are recorded. Read it through dejank_sections_enabled(). Only the
 * library writes it. */
extern DEJANK_API int dejank_sections_on;

/* Records an event, whether sections are switched on or off. name: `length` bytes,
 * need not end with NUL. value: the cookie of an async section or the counter's value,
 * otherwise 0. */
DEJANK_API void dejank_section_write(enum dejank_section_kind kind, const char *name,
                                     size_t length, int64_t value);

/* Switches recording on or off for the whole process, immediately. Sections that began
 * before it was switched off have no end. */
DEJANK_API void dejank_sections_enable(bool on);

/* Returns true while sections are recorded. Use it to avoid building a name for
 * nothing. */
static inline bool dejank_sections_enabled(void)
{
    return __atomic_load_n(&dejank_sections_on, __ATOMIC_RELAXED) != 0;
}

/* Begins a section of the calling thread, inside the sections that are open. name: not
 * NULL; copied. */
static inline void dejank_section_begin(const char *name)
{
    if (dejank_sections_enabled()) {
        dejank_section_write(DEJANK_SECTION_BEGIN, name, strlen(name), 0);
    }
}

/* Ends the section that the calling thread began last. */
static inline void dejank_section_end(void)
{
    if (dejank_sections_enabled()) {
        dejank_section_write(DEJANK_SECTION_END, "", 0, 0);
    }
}

/* Begins a section that need not be nested and may end on another thread. Name and
 * cookie together identify it. */
static inline void dejank_section_begin_async(const char *name, int64_t cookie)
{
    if (dejank_sections_enabled()) {
        dejank_section_write(DEJANK_SECTION_ASYNC_BEGIN, name, strlen(name), cookie);
    }
}

/* Ends the async section with this name and cookie. Any thread may have begun it. */
static inline void dejank_section_end_async(const char *name, int64_t cookie)
{
    if (dejank_sections_enabled()) {
        dejank_section_write(DEJANK_SECTION_ASYNC_END, name, strlen(name), cookie);
    }
}

/* Sets the value of a counter from now on: bytes in use, items queued. */
static inline void dejank_counter_set(const char *name, int64_t value)
{
    if (dejank_sections_enabled()) {
        dejank_section_write(DEJANK_COUNTER, name, strlen(name), value);
    }
}

#ifdef __cplusplus
}

namespace dejank
{

/*
 * A section that lasts as long as the block that contains it:
 *
 *     dejank::Section section("layout");
 *
 * If it begins while sections are off, it has no end either.
 */
class Section
{
  public:
    explicit Section(const char *name) : begun_(dejank_sections_enabled())
    {
        if (begun_) {
            dejank_section_write(DEJANK_SECTION_BEGIN, name, strlen(name), 0);
        }
    }
    ~Section()
    {
        if (begun_) {
            dejank_section_write(DEJANK_SECTION_END, "", 0, 0);
        }
    }
    Section(const Section &) = delete;
    Section &operator=(const Section &) = delete;

  private:
    bool begun_;
};

} // namespace dejank
#endif

#endif
