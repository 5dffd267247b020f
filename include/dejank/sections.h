/*
 * dejank/sections.h: records named sections, which show what a program does and when.
 * `dejank trace read` shows them together with the program's frames.
 *
 *     dejank_section_begin("layout");
 *     ...
 *     dejank_section_end();
 *
 * Link with -ldejank (pkg-config dejank). Works in C and C++. C++ also has
 * dejank::Section. The functions resemble those of Android's ATrace.
 *
 * Any thread may call these functions at any time, even in signal handlers. They never
 * fail, block, allocate, print or change errno. The first section of a process creates a
 * file, and the first section of a thread reserves a ring buffer in the file. After that,
 * an event costs one clock read and a few stores. The ring buffer of a thread has its
 * newest events. `dejank trace read` reports how many events were overwritten or not
 * recorded. A child of fork() and a program started by exec() have files of their own.
 *
 * Sections are recorded unless the environment variable DEJANK_SECTIONS is "off" or the
 * program has called dejank_sections_enable(false).
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

/* Maximum length of a name in bytes. Names are copied, should be UTF-8, and are truncated
 * if they are longer. */
enum { DEJANK_NAME_MOST = 127 };

/* Kinds of events for dejank_section_write(). Programs should call the functions below
 * instead. */
enum dejank_section_kind {
    DEJANK_SECTION_BEGIN = 1,
    DEJANK_SECTION_END = 2,
    DEJANK_SECTION_ASYNC_BEGIN = 3,
    DEJANK_SECTION_ASYNC_END = 4,
    DEJANK_COUNTER = 5
};

/* 1 if sections are recorded, otherwise 0. Only the library writes it. Programs call
 * dejank_sections_enabled() instead. */
extern DEJANK_API int dejank_sections_on;

/* Records an event, even if recording is switched off. `name` has `length` bytes and
 * needs no final NUL. `value` is the cookie of an async section or the value of a
 * counter, and otherwise 0. */
DEJANK_API void dejank_section_write(enum dejank_section_kind kind, const char *name,
                                     size_t length, int64_t value);

/* Switches recording on or off for the whole process, immediately. A section that is open
 * while recording is switched off gets no end. */
DEJANK_API void dejank_sections_enable(bool on);

/* Returns whether sections are recorded. If not, a program need not build names. */
static inline bool dejank_sections_enabled(void)
{
    return __atomic_load_n(&dejank_sections_on, __ATOMIC_RELAXED) != 0;
}

/* Begins a section of the calling thread, inside its open sections. `name` is copied and
 * must not be NULL. */
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

/* Begins a section that need not be nested and may end on another thread. Name and cookie
 * together identify the section. */
static inline void dejank_section_begin_async(const char *name, int64_t cookie)
{
    if (dejank_sections_enabled()) {
        dejank_section_write(DEJANK_SECTION_ASYNC_BEGIN, name, strlen(name), cookie);
    }
}

/* Ends the async section with this name and cookie. Another thread may have begun it. */
static inline void dejank_section_end_async(const char *name, int64_t cookie)
{
    if (dejank_sections_enabled()) {
        dejank_section_write(DEJANK_SECTION_ASYNC_END, name, strlen(name), cookie);
    }
}

/* Records the value that a counter has from now on, such as the number of queued
 * items. */
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
 * A section that lasts until the end of the enclosing block:
 *
 *     dejank::Section section("layout");
 *
 * If recording is off when the section begins, its end is not recorded either.
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
