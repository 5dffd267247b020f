"""Mesa's software Vulkan drivers: the installed one, and a newer one in the build folder, which does not change the system."""

import json
import re
import shutil
import subprocess
from pathlib import Path

LIBRARIES = Path("/usr/lib/x86_64-linux-gnu")
NEWER = "mesa-vulkan-drivers"


def with_driver(manifest):
    # Both names: the loader before 1.3.207 knows only the first.
    return {"VK_ICD_FILENAMES": str(manifest), "VK_DRIVER_FILES": str(manifest)}


def installed():
    """Environment for the installed driver, or None if it is missing."""
    manifests = sorted(Path("/usr/share/vulkan/icd.d").glob("lvp_icd*.json"))
    return with_driver(manifests[0]) if manifests else None


def download(folder):
    """Downloads and unpacks the package of bookworm-backports. Returns False if that fails, for example without this suite."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    fetched = subprocess.run(["apt-get", "download", "-qq", "-t", "bookworm-backports", NEWER], cwd=folder, capture_output=True,
                             check=False, timeout=120)
    packages = list(folder.glob("*bpo12*.deb"))
    return fetched.returncode == 0 and len(packages) == 1 and subprocess.run(
        ["dpkg-deb", "-x", packages[0], folder], capture_output=True, check=False, timeout=120).returncode == 0


def newer(build):
    """Environment for the driver of Debian's backports, kept in the build folder, or None if it is unavailable."""
    folder = build / "mesa-backport"
    driver = folder / "usr/lib/x86_64-linux-gnu/libvulkan_lvp.so"
    if not shutil.which("apt-get") or (not driver.exists() and not download(folder)):
        return None
    missing = subprocess.run(["ldd", driver], capture_output=True, text=True, check=False).stdout
    if "not found" in missing or not driver.exists():
        return None
    manifest = folder / "lvp.json"
    original = next((folder / "usr/share/vulkan/icd.d").glob("lvp_icd*.json"))
    content = json.loads(original.read_text())
    content["ICD"]["library_path"] = str(driver)
    manifest.write_text(json.dumps(content))
    return with_driver(manifest)


def version_of(environment):
    """Major version of the Mesa driver that the loader uses, according to vulkaninfo, or None."""
    told = subprocess.run(["vulkaninfo", "--summary"], env=environment, capture_output=True, text=True, check=False, timeout=60)
    found = re.search(r"driverInfo\s*= Mesa (\d+)", told.stdout)
    return int(found[1]) if found else None
