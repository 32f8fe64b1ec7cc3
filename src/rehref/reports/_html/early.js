document.documentElement.className = "scripted";
