"""The device's own files in /proc and /sys, and the commands cat, head, date and reboot."""

import datetime

from .calls import RunReal

CORES = 8


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)  # in place, because the file itself is mounted


def write_files(phone):
    proc, sys = phone.folder / "proc", phone.folder / "sys"
    kib = phone.ram_mib * 1024
    write(proc / "meminfo", f"MemTotal:       {kib} kB\nMemFree:        {kib // 8} kB\nMemAvailable:   {kib // 2} kB\n")
    cores = "".join(f"processor\t: {core}\nBogoMIPS\t: 38.40\nCPU implementer\t: 0x51\nCPU part\t: 0x804\n\n"
                    for core in range(CORES))
    write(proc / "cpuinfo", cores + "Hardware\t: Qualcomm Technologies, Inc SM8150\n")
    write(proc / "loadavg", "0.52 0.48 0.40 2/1234 5678\n")
    for core in range(CORES):
        folder = sys / f"devices/system/cpu/cpu{core}/cpufreq"
        top = 1785600 if core < 4 else 2841600
        for name, value in (("scaling_governor", "schedutil"), ("scaling_cur_freq", top // 2), ("scaling_max_freq", top),
                            ("scaling_min_freq", 300000), ("cpuinfo_max_freq", top), ("cpuinfo_min_freq", 300000)):
            write(folder / name, f"{value}\n")
    for policy, top in ((0, 1785600), (4, 2841600)):
        for name in ("scaling_max_freq", "cpuinfo_max_freq"):
            write(sys / f"devices/system/cpu/cpufreq/policy{policy}" / name, f"{top}\n")
        write(sys / f"devices/system/cpu/cpufreq/policy{policy}/scaling_governor", "schedutil\n")
    for name in ("online", "present", "possible"):
        write(sys / "devices/system/cpu" / name, f"0-{CORES - 1}\n")
    write(sys / "class/thermal/thermal_zone0/type", "skin-therm\n")
    write(sys / "class/thermal/thermal_zone0/temp", f"{int(phone.skin_c * 1000)}\n")
    write(sys / "class/thermal/thermal_zone1/type", "cpu-0-0-usr\n")
    write(sys / "class/thermal/thermal_zone1/temp", f"{int((phone.skin_c + 8) * 1000)}\n")
    write(sys / "class/power_supply/battery/capacity", f"{phone.battery['level']}\n")
    write(sys / "class/power_supply/battery/temp", f"{round(phone.battery['temperature_c'] * 10)}\n")
    write(sys / "class/power_supply/battery/status", "Charging\n" if phone.battery["powered"] else "Discharging\n")


def stat(phone):
    """The current /proc/stat. Since the boot, the CPUs were busy for the share `busy` of the time, and idle otherwise."""
    ticks = phone.now_ns() * CORES // 10_000_000
    busy = int(ticks * phone.busy)
    return f"cpu  {busy} 0 0 {ticks - busy} 0 0 0 0 0 0\nbtime {int(phone.wall_s() - phone.now_ns() / 1e9)}\n"


def show(phone, call):
    """cat and head. Computes /proc/stat. The machine's own programs print other files."""
    if "/proc/stat" not in call.words:
        raise RunReal()
    call.out(stat(phone) if call.name == "cat" else stat(phone).partition("\n")[0] + "\n")
    return 0


def date(phone, call):
    """date [+FORMAT]: prints the device's wall clock in UTC."""
    now = phone.wall_s()
    moment = datetime.datetime.fromtimestamp(now, datetime.timezone.utc)
    form = next((word[1:] for word in call.words if word.startswith("+")), "%a %b %e %H:%M:%S UTC %Y")
    form = form.replace("%N", f"{int(now * 1e9) % 10**9:09d}").replace("%s", str(int(now)))
    call.out(moment.strftime(form) + "\n")
    return 0


def reboot(phone, call):
    phone.later(0.05, phone.reboot)
    call.sleep(5)
    return 0


COMMANDS = {"cat": show, "head": show, "date": date, "reboot": reboot}
